package dev.heldcall.kernel.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallEvent.CallCancelled;
import dev.heldcall.kernel.call.HeldCallEvent.CallExpired;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.LiveCalls;
import dev.heldcall.kernel.policybook.PolicyBookEvent;
import dev.heldcall.kernel.session.SessionEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Golden files: {@code golden/<name>.v<version>.json} is how an event lies in journals for good. A
 * golden file is added with a new type or version, and never changed once it was released.
 */
class JournalCodecTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final JournalCodec CODEC = new JournalCodec();

  static List<Object> full() {
    return SampleEvents.full();
  }

  static List<Object> sparse() {
    return SampleEvents.sparse();
  }

  static Stream<JournalTypes.Type> types() {
    return CODEC.types().all().values().stream();
  }

  static Set<Map.Entry<String, List<HeldCallEvent>>> journals() {
    return LiveCalls.journals().entrySet();
  }

  @Nested
  class GoldenFiles {

    @ParameterizedTest
    @MethodSource("dev.heldcall.kernel.codec.JournalCodecTest#full")
    void areWhatIsReadAndWritten(Object event) {
      String manifest = CODEC.manifest(event);
      byte[] golden = golden(manifest);
      assertThat(CODEC.read(manifest, golden)).as("read").isEqualTo(event);
      assertThat(tree(CODEC.write(event))).as("written").isEqualTo(tree(golden));
      assertThat((JsonNode) CODEC.tree(event)).as("shown").hasToString(tree(golden).toString());
    }

    @ParameterizedTest
    @MethodSource("dev.heldcall.kernel.codec.JournalCodecTest#types")
    void areThereForEveryVersionOfEveryType(JournalTypes.Type type) {
      for (int version = 1; version <= type.version(); version++) {
        String manifest = new JournalTypes.Type(type.name(), version).manifest();
        assertThat(CODEC.read(manifest, golden(manifest))).as(manifest).isNotNull();
      }
    }

    @Test
    void areAllOfKnownTypes() throws IOException, URISyntaxException {
      Set<String> known = new HashSet<>();
      types()
          .forEach(
              type -> {
                for (int version = 1; version <= type.version(); version++) {
                  known.add(file(new JournalTypes.Type(type.name(), version).manifest()));
                }
              });
      try (Stream<Path> files = Files.list(Path.of(resource("/golden").toURI()))) {
        assertThat(files.map(each -> each.getFileName().toString()))
            .containsExactlyInAnyOrderElementsOf(known);
      }
    }

    @Test
    void coverEveryEventThatThereIs() {
      List<Class<?>> events = new ArrayList<>();
      for (Class<?> kind :
          List.of(HeldCallEvent.class, PolicyBookEvent.class, SessionEvent.class)) {
        events.addAll(List.of(kind.getPermittedSubclasses()));
      }
      assertThat(CODEC.types().all().keySet()).containsExactlyInAnyOrderElementsOf(events);
      assertThat(full()).extracting(Object::getClass).hasSameElementsAs(events);
    }
  }

  @ParameterizedTest
  @MethodSource("sparse")
  void whatIsAbsentIsNotWrittenAndComesBackAbsent(Object event) {
    byte[] written = CODEC.write(event);
    assertThat(CODEC.read(CODEC.manifest(event), written)).isEqualTo(event);
    assertThat(new String(written, StandardCharsets.UTF_8).replace(" ", ""))
        .doesNotContain("reason\":null", "expiresAt\":null", "contract\":null", "parent\":null")
        .doesNotContain("key\":null", "editor\":null", "attestationId\":null", "require\":null");
  }

  @ParameterizedTest
  @MethodSource("journals")
  void aJournalReadBackMakesTheSameFacts(Map.Entry<String, List<HeldCallEvent>> journal) {
    List<HeldCallEvent> written = journal.getValue();
    List<HeldCallEvent> read =
        written.stream()
            .map(each -> (HeldCallEvent) CODEC.read(CODEC.manifest(each), CODEC.write(each)))
            .toList();
    assertThat(read).hasToString(written.toString());
    assertThat(HeldCallReducer.reduceAll(HeldCallFacts.NONE, read))
        .hasToString(HeldCallReducer.reduceAll(HeldCallFacts.NONE, written).toString());
  }

  @Test
  void theJournalsReadBackHaveEveryEventOfACall() {
    assertThat(journals())
        .flatExtracting(Map.Entry::getValue)
        .extracting(Object::getClass)
        .containsAll(List.of(HeldCallEvent.class.getPermittedSubclasses()));
  }

  @Test
  void aNameIsKeptForShowing() {
    assertThat(CODEC.name(new CallExpired(SampleEvents.META))).isEqualTo("call-expired");
  }

  @Test
  void aFieldThatThisReleaseDoesNotKnowIsPassedOver() {
    byte[] more = bytes("{\"meta\":" + metaText() + ",\"more\":{\"x\":1}}");
    assertThat(CODEC.read("call-expired:1", more)).isEqualTo(new CallExpired(SampleEvents.META));
  }

  @Nested
  class Refuses {

    @Test
    void aNameThatThisReleaseDoesNotKnow() {
      assertThatThrownBy(() -> CODEC.read("call-teleported:1", bytes("{}")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'call-teleported' that this release does not know");
    }

    @ParameterizedTest
    @ValueSource(strings = {"call-expired:2", "call-expired:0", "call-expired:-1"})
    void aVersionThatThisReleaseDoesNotKnow(String manifest) {
      assertThatThrownBy(() -> CODEC.read(manifest, golden("call-expired:1")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(manifest)
          .hasMessageContaining("a newer release");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":1", "call-expired", "call-expired:", "call-expired:x"})
    void aManifestThatIsNone(String manifest) {
      assertThatThrownBy(() -> CODEC.read(manifest, bytes("{}")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("expected name:version, found '" + manifest + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "[]", "7", "\"x\"", "{} {}", "{\"meta\":7}"})
    void bytesThatAreNoSuchEvent(String broken) {
      assertThatThrownBy(() -> CODEC.read("call-expired:1", bytes(broken)))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot read call-expired:1");
    }

    @Test
    void anEventWithoutAFieldThatIsNeverAbsent() {
      byte[] noGeneration = bytes("{\"meta\":" + metaText() + ",\"index\":1}");
      assertThatThrownBy(() -> CODEC.read("fallback-opened:1", noGeneration))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("generation");
    }

    @Test
    void toWriteWhatIsNoEvent() {
      assertThatThrownBy(() -> CODEC.manifest("text"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no journal event");
    }
  }

  /** A type that has come to version 3: who cancelled was once 'who', and had no reason. */
  @Nested
  class Upcasting {

    private final JournalCodec codec = new JournalCodec(types(true));

    private static JournalTypes types(boolean whole) {
      JournalTypes types = new JournalTypes();
      types.add("call-cancelled", 3, CallCancelled.class);
      types.lift(
          "call-cancelled",
          1,
          tree -> {
            tree.set("by", tree.remove("who"));
            return tree;
          });
      if (whole) {
        types.lift("call-cancelled", 2, tree -> tree.put("reason", "none was asked for"));
      }
      return types;
    }

    @Test
    void liftsEveryOlderVersionStepByStep() {
      CallCancelled lifted = new CallCancelled(SampleEvents.META, "bob", "none was asked for");
      byte[] first = bytes("{\"meta\":" + metaText() + ",\"who\":\"bob\"}");
      byte[] second = bytes("{\"meta\":" + metaText() + ",\"by\":\"bob\"}");
      assertThat(codec.read("call-cancelled:1", first)).isEqualTo(lifted);
      assertThat(codec.read("call-cancelled:2", second)).isEqualTo(lifted);
      assertThat(codec.read("call-cancelled:3", codec.write(lifted))).isEqualTo(lifted);
    }

    @Test
    void writesOnlyTheNewest() {
      assertThat(codec.manifest(new CallCancelled(SampleEvents.META, "bob", null)))
          .isEqualTo("call-cancelled:3");
    }

    @Test
    void leavesOtherTypesAlone() {
      CallExpired expired = new CallExpired(SampleEvents.META);
      assertThat(codec.read("call-expired:1", golden("call-expired:1"))).isEqualTo(expired);
    }

    @Test
    void refusesAChainWithAGap() {
      JournalCodec broken = new JournalCodec(types(false));
      assertThatThrownBy(() -> broken.read("call-cancelled:1", bytes("{}")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("nothing lifts 'call-cancelled' from version 2 to the next");
    }

    @Test
    void refusesAnOldEventThatIsNoObject() {
      assertThatThrownBy(() -> codec.read("call-cancelled:1", bytes("[]")))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot read call-cancelled:1");
    }
  }

  private static byte[] golden(String manifest) {
    try (var in = resource("/golden/" + file(manifest)).openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String file(String manifest) {
    return manifest.replace(":", ".v") + ".json";
  }

  private static URL resource(String name) {
    return Objects.requireNonNull(
        JournalCodecTest.class.getResource(name), () -> "there is no " + name);
  }

  private static String metaText() {
    return "{\"eventId\":\"ev-7\",\"at\":\"2026-03-01T12:00:00.123Z\",\"actor\":\"agent-1\"}";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode tree(byte[] bytes) {
    try {
      return JSON.readTree(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
