package dev.heldcall.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.heldcall.kernel.readside.JournalReader;
import dev.heldcall.kernel.store.TestDatabases.Database;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The overlay is all that the journal needs: real events, and recovered. */
@Timeout(120)
class JournalConfigTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void persistsAndRecovers(Engine engine) throws Exception {
    Database database = engine.fresh(folder);
    try (Store store = database.open()) {
      assertThat(appendAndAsk(store, List.of("a", "b,c"))).isEqualTo("/a/b/c");
      List<JournalReader.RawEvent> raw = new JournalReader(store).events("log|1", 1, 100);
      assertThat(raw)
          .extracting(event -> new String(event.payload(), StandardCharsets.UTF_8))
          .containsExactly("a", "b", "c");
      assertThat(raw)
          .extracting(JournalReader.RawEvent::sequenceNumber)
          .containsExactly(1L, 2L, 3L);
    }
    try (Store store = database.open()) {
      assertThat(appendAndAsk(store, List.of("d"))).isEqualTo("/a/b/c/d");
      assertThat(new JournalReader(store).maxSequence("log|1")).isEqualTo(4);
    }
  }

  private static String appendAndAsk(Store store, List<String> texts) {
    ActorTestKit kit = ActorTestKit.create("log", config(store));
    try {
      ActorRef<Command> log = kit.spawn(new Entity());
      var probe = kit.createTestProbe(String.class);
      String state = "";
      for (String text : texts) {
        log.tell(new Command(text, probe.getRef()));
        state = probe.receiveMessage(PATIENCE);
      }
      return state;
    } finally {
      kit.shutdownTestKit();
    }
  }

  private static Config config(Store store) {
    return store
        .pekkoConfig()
        .withFallback(ConfigFactory.parseString("pekko.loglevel = WARNING"))
        .withFallback(ConfigFactory.load());
  }

  /** Appends the parts of a text as one persist, and answers all that was appended so far. */
  private record Command(String text, ActorRef<String> replyTo) {}

  private static final class Entity extends EventSourcedBehavior<Command, String, String> {

    Entity() {
      super(PersistenceId.of("log", "1"));
    }

    @Override
    public String emptyState() {
      return "";
    }

    @Override
    public CommandHandler<Command, String, String> commandHandler() {
      return newCommandHandlerBuilder()
          .forAnyState()
          .onCommand(Command.class, this::append)
          .build();
    }

    private Effect<String, String> append(Command command) {
      List<String> events = List.of(command.text().split(",", -1));
      return Effect().persist(events).thenRun(state -> command.replyTo().tell(state));
    }

    @Override
    public EventHandler<String, String> eventHandler() {
      return newEventHandlerBuilder()
          .forAnyState()
          .onEvent(String.class, (state, event) -> state + "/" + event)
          .build();
    }
  }
}
