package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A witness provider as configured ({@code heldcall.witnesses}); each part is explained at {@link
 * dev.heldcall.plugin.api.ProviderContract}.
 *
 * @param id its name
 * @param kind which type makes it
 * @param witnessClass the class it is asked for
 * @param identity who its attestations are from
 * @param cost what asking it costs
 * @param timeout how long one call to it may take
 * @param patience how long a request may be out, or null for as long as the call is held
 * @param repeatable whether it may be asked twice, or null for what its kind says
 * @param onNestedRefused what a refused call of its own counts as
 * @param disclosure the most that it is shown
 * @param validity how long its attestations count
 * @param maxAnswerBytes the most that is read of one answer
 * @param settings what its kind reads, an object
 * @param place where the block stands, as {@code file:line}
 * @param places where its keys stand, by path such as {@code settings.url}
 */
public record WitnessSettings(
    String id,
    String kind,
    String witnessClass,
    Principal identity,
    int cost,
    Duration timeout,
    @Nullable Duration patience,
    @Nullable Boolean repeatable,
    OnNestedRefused onNestedRefused,
    Disclosure disclosure,
    Duration validity,
    long maxAnswerBytes,
    JsonNode settings,
    String place,
    Map<String, String> places) {

  public WitnessSettings {
    places = Map.copyOf(places);
  }

  /** Where a key stands, or the nearest that is known around it. */
  public String placeOf(String key) {
    String at = key;
    while (true) {
      String known = places.get(at);
      int dot = at.lastIndexOf('.');
      if (known != null || dot < 0) {
        return known == null ? place : known;
      }
      at = at.substring(0, dot);
    }
  }

  /**
   * Kinds that bring the words of people, each under that person's identity, and none of their own.
   */
  private static final Set<String> OF_PEOPLE = Set.of("inbox", "slack", "webhook");

  /** Whether it attests under its own identity: only then does that hold its class. */
  public boolean attestsItself() {
    return !OF_PEOPLE.contains(kind);
  }

  /** Without the settings, which may hold secrets. */
  @Override
  public String toString() {
    return "WitnessSettings[" + id + ", kind=" + kind + ", class=" + witnessClass + "]";
  }
}
