package dev.heldcall.kernel.policybook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.policybook.PolicyBookEvent.DocumentAdopted;
import dev.heldcall.kernel.policybook.PolicyBookEvent.FloorAdopted;
import dev.heldcall.plugin.api.Digest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PolicyBookStateTest {

  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");

  private static JsonNode document(int version) {
    return JsonNodeFactory.instance.objectNode().put("version", (long) version);
  }

  private static Digest digest(int version) {
    return Digests.ofCanonical(document(version));
  }

  private static DocumentAdopted configured(long revision, int version) {
    return new DocumentAdopted(
        revision, document(version), PolicyBookEvent.CONFIGURATION, null, digest(version), NOW);
  }

  private static DocumentAdopted changed(long revision, int version, @Nullable String key) {
    return new DocumentAdopted(revision, document(version), "hc_1", key, null, NOW);
  }

  private static PolicyBookState fold(List<? extends PolicyBookEvent> events) {
    PolicyBookState state = PolicyBookState.EMPTY;
    for (PolicyBookEvent event : events) {
      state = state.apply(event);
    }
    return state;
  }

  @Nested
  class AFloorAdopted {

    @Test
    void isTheFloorAndTheRevision() {
      PolicyBookState state =
          fold(List.of(new FloorAdopted(1, digest(1), NOW), new FloorAdopted(2, digest(2), NOW)));

      assertThat(state.floor()).isEqualTo(digest(2));
      assertThat(state.revision()).isEqualTo(2);
    }
  }

  @Nested
  class ADocumentAdopted {

    @Test
    void fromConfigurationIsTheDocumentAndWhatConfigurationHadLast() {
      PolicyBookState state = fold(List.of(configured(1, 1)));

      assertThat(state.document()).isEqualTo(document(1));
      assertThat(state.configured()).isEqualTo(digest(1));
      assertThat(state.revision()).isEqualTo(1);
      assertThat(state.changes()).isEmpty();
    }

    @Test
    void byAChangeKeepsWhatConfigurationHadLast() {
      PolicyBookState state = fold(List.of(configured(1, 1), changed(2, 5, "hc_1.1")));

      assertThat(state.document()).isEqualTo(document(5));
      assertThat(state.configured()).isEqualTo(digest(1));
      assertThat(state.changedBy("hc_1.1")).isEqualTo(OptionalLong.of(2));
      assertThat(state.changedBy("hc_2.1")).isEmpty();
    }

    @Test
    void isHeldInCanonicalForm() {
      JsonNode spelt = JsonNodeFactory.instance.objectNode().put("n", 1.0).put("a", 2);

      assertThat(new DocumentAdopted(1, spelt, "hc_1", "k", null, NOW))
          .isEqualTo(
              new DocumentAdopted(
                  1,
                  JsonNodeFactory.instance.objectNode().put("a", 2).put("n", 1),
                  "hc_1",
                  "k",
                  null,
                  NOW));
    }
  }

  @Test
  void anEventWhoseRevisionIsNotAboveTheStatesChangesNothing() {
    PolicyBookState state = fold(List.of(configured(1, 1), changed(2, 5, "k")));

    assertThat(state.apply(changed(2, 9, "other"))).isSameAs(state);
    assertThat(state.apply(configured(1, 9))).isSameAs(state);
    assertThat(state.apply(new FloorAdopted(2, digest(9), NOW))).isSameAs(state);
  }

  @Test
  void onlyTheLastThousandChangesAreKnownByTheirKey() {
    List<PolicyBookEvent> events = new ArrayList<>();
    for (int i = 1; i <= PolicyBookState.MAX_CHANGES + 2; i++) {
      events.add(changed(i, i, "k" + i));
    }
    PolicyBookState state = fold(events);

    assertThat(state.changes()).hasSize(PolicyBookState.MAX_CHANGES);
    assertThat(state.changedBy("k2")).isEmpty();
    assertThat(state.changedBy("k3")).isEqualTo(OptionalLong.of(3));
  }

  @Property(tries = 200)
  void duplicatesChangeNothing(@ForAll @Size(max = 30) List<@IntRange(max = 3) Integer> repeats) {
    List<PolicyBookEvent> once = new ArrayList<>();
    List<PolicyBookEvent> often = new ArrayList<>();
    for (int i = 0; i < repeats.size(); i++) {
      PolicyBookEvent event = i % 3 == 0 ? configured(i + 1, i) : changed(i + 1, i, "k" + i % 7);
      once.add(event);
      often.add(event);
      for (int again = 0; again < repeats.get(i); again++) {
        often.add(once.get(Math.floorMod(i - again, once.size())));
      }
    }

    assertThat(fold(often)).isEqualTo(fold(once));
  }
}
