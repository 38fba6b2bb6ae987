package dev.heldcall.gateway.cli.bank;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the bank booked, and the highest fencing token it saw for each idempotency key. */
final class EffectBook {

  private final InstantSource clock;
  private final List<Effect> effects = new ArrayList<>();
  private final Map<String, Permit.Fence> highest = new HashMap<>();

  EffectBook(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Makes an effect.
   *
   * @return none if a higher fencing token was seen for the key
   * @throws IllegalArgumentException if the body is no object
   */
  synchronized Optional<Effect> make(String kind, Permit permit, JsonNode body) {
    if (!(body instanceof ObjectNode)) {
      throw new IllegalArgumentException("the body is not an object");
    }
    Permit.Fence seen = highest.get(permit.idempotencyKey());
    if (seen != null && seen.compareTo(permit.fence()) > 0) {
      return Optional.empty();
    }
    highest.put(permit.idempotencyKey(), permit.fence());
    Effect effect =
        new Effect(kind + "-" + (effects.size() + 1), kind, permit, body, clock.instant());
    effects.add(effect);
    return Optional.of(effect);
  }

  synchronized Optional<Effect> find(String kind, String idempotencyKey) {
    return effects.stream()
        .filter(effect -> effect.kind().equals(kind))
        .filter(effect -> effect.permit().idempotencyKey().equals(idempotencyKey))
        .findFirst();
  }

  synchronized List<Effect> all() {
    return List.copyOf(effects);
  }
}
