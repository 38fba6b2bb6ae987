package dev.heldcall.witness.inbox;

import static dev.heldcall.witness.FactRequests.NOW;
import static dev.heldcall.witness.FactRequests.asking;
import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import dev.heldcall.witness.Counterpart;
import dev.heldcall.witness.Counterpart.Said;
import dev.heldcall.witness.webhook.StandardWebhooks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A call proposed at 11:59:00 for money_transfer, which ends at 13:00:00; the clock is moved.
 *
 * <p>It is over the usual size so that all the settings are on one page.
 */
class InboxProviderTest {

  private static final WitnessRequest REQUEST = asking("{'to':'acct-2'}");
  private static final Instant PROPOSED = REQUEST.createdAt();

  private static final String GROUPS =
      "'groups':{'treasury':['alice','bob'],'managers':['carol']},'people':['dave'],"
          + "'assign':[{'tools':['git.*','note_write'],'to':'managers'},"
          + "{'tools':['money_*'],'to':'treasury'},{'to':'dave'}]";

  private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
  private final Counterpart service = Counterpart.start();
  private final List<WitnessProvider> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(WitnessProvider::close);
    service.close();
  }

  private WitnessProvider inbox(String more) throws InvalidProviderSettings {
    return of((ObjectNode) json("{" + GROUPS + more + "}"));
  }

  private WitnessProvider of(ObjectNode settings) throws InvalidProviderSettings {
    WitnessProvider provider =
        new InboxType()
            .create(
                contract("inbox"),
                settings,
                new ProviderServices(now::get, Executors.newVirtualThreadPerTaskExecutor()));
    opened.add(provider);
    return provider;
  }

  private WitnessAnswer.Waiting waiting(CompletionStage<WitnessAnswer> stage) {
    WitnessAnswer answer = stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    assertThat(answer).isInstanceOf(WitnessAnswer.Waiting.class);
    return (WitnessAnswer.Waiting) answer;
  }

  private String assigned(WitnessProvider inbox) {
    return waiting(inbox.ask(REQUEST)).reference();
  }

  private static WitnessRequest of(String tool) {
    return new WitnessRequest(
        REQUEST.requestId(),
        REQUEST.heldId(),
        REQUEST.generation(),
        REQUEST.callDigest(),
        REQUEST.contractDigest(),
        REQUEST.witnessClass(),
        REQUEST.boundary(),
        tool,
        REQUEST.argsDigest(),
        REQUEST.args(),
        REQUEST.disclosure(),
        REQUEST.leftOut(),
        REQUEST.proposer(),
        null,
        REQUEST.createdAt(),
        null,
        null);
  }

  @Nested
  class Assigning {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "money_transfer|treasury: alice, bob",
          "git.push|managers: carol",
          "note_write|managers: carol",
          "note_write_all|dave",
          "other|dave"
        })
    void theFirstLineForTheToolCounts(String tool, String to) throws Exception {
      WitnessAnswer.Waiting waiting = waiting(inbox("").ask(of(tool)));
      assertThat(waiting.reference()).isEqualTo(to);
      assertThat(waiting.note()).isEqualTo("assigned to " + to);
      assertThat(waiting.lookAfter()).isNull();
    }

    @Test
    void nobodyNeedBeNamed() throws Exception {
      assertThat(waiting(of((ObjectNode) json("{}")).ask(REQUEST)).reference())
          .isEqualTo("nobody in particular");
    }

    @Test
    void aLongGroupIsShownInPart() throws Exception {
      String names = "'p1','p2','p3','p4','p5','p6','p7'";
      WitnessProvider inbox =
          of((ObjectNode) json("{'groups':{'all':[" + names + "]},'assign':[{'to':'all'}]}"));
      assertThat(assigned(inbox)).isEqualTo("all: p1, p2, p3, p4, p5 and 2 more");
    }

    /** Who may decide is the class's to say: nothing that is posted here moves a call. */
    @Test
    void nothingIsDecidedHere() throws Exception {
      IncomingWitness meant =
          inbox("")
              .incoming(
                  new IncomingMessage(
                      Map.of(),
                      StandardWebhooks.vote(REQUEST, "alice", "approve")
                          .toString()
                          .getBytes(StandardCharsets.UTF_8)));
      assertThat(meant).isInstanceOf(IncomingWitness.Answered.class);
      assertThat(((IncomingWitness.Answered) meant).reply().status()).isEqualTo(404);
    }
  }

  @Nested
  class OverTime {

    private static final String LATER =
        ",'reassign':[{'after':'40m','to':'dave'},{'after':'30m','to':'managers'}]";

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "PT0S|treasury: alice, bob|PT30M",
          "PT29M59.999S|treasury: alice, bob|PT1S",
          "PT30M|managers: carol|PT10M",
          "PT40M|dave|",
          "PT50M|dave|"
        })
    void aRequestGoesToOthersWhenItWaits(Duration after, String to, Duration look)
        throws Exception {
      now.set(PROPOSED.plus(after));
      WitnessAnswer.Waiting waiting = waiting(inbox(LATER).look(REQUEST, "whatever it was"));
      assertThat(waiting.reference()).isEqualTo(to);
      assertThat(waiting.lookAfter()).isEqualTo(look);
    }

    @Test
    void whatComesNextIsShown() throws Exception {
      assertThat(waiting(inbox(LATER).ask(REQUEST)).note())
          .isEqualTo(
              "assigned to treasury: alice, bob; from "
                  + PROPOSED.plus(Duration.ofMinutes(30))
                  + " to managers: carol");
    }

    @Test
    void nothingComesAfterTheCallsEnd() throws Exception {
      assertThat(
              waiting(inbox(",'reassign':[{'after':'2h','to':'dave'}]").ask(REQUEST)).lookAfter())
          .isNull();
    }

    @Test
    void aReminderIsShownInItsTime() throws Exception {
      WitnessProvider inbox = inbox(",'remind':['5m','30m']");
      assertThat(inbox.remindBefore())
          .containsExactly(Duration.ofMinutes(30), Duration.ofMinutes(5));
      assertThat(waiting(inbox.ask(REQUEST)).lookAfter()).isEqualTo(Duration.ofMinutes(30));
      now.set(NOW.plus(Duration.ofMinutes(30)));
      WitnessAnswer.Waiting reminded = waiting(inbox.look(REQUEST, "treasury: alice, bob"));
      assertThat(reminded.note()).endsWith("; reminded: its time ends at " + REQUEST.expiresAt());
      assertThat(reminded.lookAfter()).isEqualTo(Duration.ofMinutes(25));
    }
  }

  @Nested
  class StandingIn {

    private String delegated(String lines) throws Exception {
      return assigned(inbox(",'delegations':[" + lines + "]"));
    }

    @Test
    void anotherIsAskedInOnesPlace() throws Exception {
      assertThat(delegated("{'from':'alice','to':'dave'}")).isEqualTo("treasury: dave, bob");
      assertThat(delegated("{'from':'alice','to':'bob'}")).isEqualTo("treasury: bob");
      assertThat(delegated("{'from':'alice','to':'managers'}")).isEqualTo("treasury: carol, bob");
    }

    @Test
    void onlyForTheToolsThatAreNamed() throws Exception {
      assertThat(delegated("{'from':'alice','to':'dave','tools':['git.*']}"))
          .isEqualTo("treasury: alice, bob");
      assertThat(
              delegated(
                  "{'from':'alice','to':'carol','tools':['git.*']},"
                      + "{'from':'alice','to':'dave','tools':['money_transfer']},"
                      + "{'from':'alice','to':'bob'}"))
          .isEqualTo("treasury: dave, bob");
    }

    @Test
    void asLongAsItStands() throws Exception {
      WitnessProvider inbox =
          inbox(
              ",'delegations':[{'from':'bob','to':'dave','since':'2026-12-01T12:10:00Z',"
                  + "'until':'2026-12-01T13:20:00+01:00'}]");
      assertThat(assigned(inbox)).isEqualTo("treasury: alice, bob");
      now.set(Instant.parse("2026-12-01T12:10:00Z"));
      WitnessAnswer.Waiting during = waiting(inbox.ask(REQUEST));
      assertThat(during.reference()).isEqualTo("treasury: alice, dave");
      assertThat(during.lookAfter()).isEqualTo(Duration.ofMinutes(10));
      now.set(Instant.parse("2026-12-01T12:20:00Z"));
      assertThat(assigned(inbox)).isEqualTo("treasury: alice, bob");
    }

    @Test
    void throughSeveralAndNeverForEver() throws Exception {
      assertThat(delegated("{'from':'alice','to':'carol'},{'from':'carol','to':'dave'}"))
          .isEqualTo("treasury: dave, bob");
      assertThat(delegated("{'from':'alice','to':'carol'},{'from':'carol','to':'alice'}"))
          .isEqualTo("treasury: alice, bob");
      assertThat(delegated("{'from':'alice','to':'alice'}")).isEqualTo("treasury: alice, bob");
      assertThat(delegated("{'from':'alice','to':'treasury'},{'from':'bob','to':'treasury'}"))
          .isEqualTo("treasury: alice, bob");
    }
  }

  @Nested
  class Telling {

    private static final String LATER = ",'reassign':[{'after':'30m','to':'managers'}]";

    private WitnessProvider telling(String more) throws InvalidProviderSettings {
      ObjectNode settings = (ObjectNode) json("{" + GROUPS + more + "}");
      settings
          .putObject("notify")
          .put("url", service.url() + "/notify")
          .put("secret", StandardWebhooks.SECRET);
      return of(settings);
    }

    private JsonNode told(int index, String type, String id) {
      Counterpart.Asked sent = service.asked().get(index);
      assertThat(StandardWebhooks.isSigned(StandardWebhooks.SECRET, sent)).isTrue();
      assertThat(sent.headers()).containsEntry("webhook-id", REQUEST.requestId() + id);
      assertThat(sent.json().path("type").asText()).isEqualTo(type);
      return sent.json().path("data");
    }

    @Test
    void whomItIsAssignedToIsToldOnce() throws Exception {
      WitnessProvider inbox = telling(LATER);
      String reference = assigned(inbox);
      JsonNode data = told(0, "witness.requested", ".assigned." + PROPOSED.toEpochMilli());
      assertThat(data.path("assigned"))
          .isEqualTo(json("{'to':'treasury','people':['alice','bob']}"));
      assertThat(data.path("bindings").path("call_digest").asText())
          .isEqualTo(REQUEST.callDigest().value());
      assertThat(data.has("answer_to")).isFalse();
      assertThat(waiting(inbox.look(REQUEST, reference)).reference()).isEqualTo(reference);
      assertThat(service.asked()).hasSize(1);
      now.set(PROPOSED.plus(Duration.ofMinutes(30)));
      waiting(inbox.look(REQUEST, reference));
      data =
          told(
              1,
              "witness.requested",
              ".assigned." + PROPOSED.plus(Duration.ofMinutes(30)).toEpochMilli());
      assertThat(data.path("assigned")).isEqualTo(json("{'to':'managers','people':['carol']}"));
    }

    @Test
    void aRestartedNodeTellsUnderTheSameId() throws Exception {
      assigned(telling(LATER));
      assigned(telling(LATER));
      assertThat(service.asked())
          .extracting(each -> each.headers().get("webhook-id"))
          .hasSize(2)
          .containsOnly(REQUEST.requestId() + ".assigned." + PROPOSED.toEpochMilli());
    }

    @Test
    void theRequestStandsWhenNobodyCouldBeTold() throws Exception {
      service.answers(_ -> Said.status(503, ""));
      WitnessProvider inbox = telling(LATER);
      WitnessAnswer.Waiting untold = waiting(inbox.ask(REQUEST));
      assertThat(untold.reference()).isEqualTo("treasury: alice, bob (not told yet)");
      assertThat(untold.lookAfter()).isEqualTo(Duration.ofMinutes(1));
      assertThat(untold.note())
          .contains("nobody was told: the service answered with the status 503");
      service.answers("{}");
      WitnessAnswer.Waiting told = waiting(inbox.look(REQUEST, untold.reference()));
      assertThat(told.reference()).isEqualTo("treasury: alice, bob");
      assertThat(told.note()).doesNotContain("nobody was told");
      service.answers(_ -> Said.status(410, ""));
      assertThat(waiting(inbox.ask(REQUEST)).reference()).isEqualTo("treasury: alice, bob");
    }

    @Test
    void remindersGoToWhomeverItIsAssignedToNow() throws Exception {
      WitnessProvider inbox = telling(LATER + ",'remind':['5m']");
      now.set(NOW.plus(Duration.ofMinutes(55)));
      inbox.remind(REQUEST, "treasury: alice, bob").toCompletableFuture().join();
      JsonNode data = told(0, "witness.reminder", ".reminder." + now.get().getEpochSecond());
      assertThat(data.path("assigned").path("to").asText()).isEqualTo("managers");
      inbox
          .withdraw(
              new WitnessWithdrawal(
                  REQUEST.requestId(), REQUEST.heldId(), REQUEST.tool(), "managers: carol", "over"))
          .toCompletableFuture()
          .join();
      told(1, "witness.withdrawn", ".withdrawn");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'assign':[{'to':'tresury'}]|assign.0.to|the name of a group",
        "'assign':[{'tools':['*_x'],'to':'dave'}]|assign.0.tools|tools such as",
        "'assign':[{'tools':[],'to':'dave'}]|assign.0.tools|tools such as",
        "'assign':[{'to':'dave','until':'1h'}]|assign.0.until|one of the keys",
        "'reassign':[{'to':'dave'}]|reassign.0.after|a text",
        "'reassign':[{'after':'500ms','to':'dave'}]|reassign.0.after|a duration such as",
        "'delegations':[{'from':'treasury','to':'dave'}]|delegations.0.from|a person",
        "'delegations':[{'from':'dave','to':'alice','until':'x'}]|delegations.0.until|a time such as",
        "'delegations':[{'from':'dave','to':'alice','since':'2027-01-01T00:00:00Z',"
            + "'until':'2027-01-01T00:00:00Z'}]|delegations.0.until|a time after since",
        "'groups':{'dave':['alice']},'people':['dave']|groups.dave|a name that no person has",
        "'groups':{'a b':['alice']}|groups.a b|names of 1 to 128",
        "'remind':['1h','60m']|remind|a list of different durations",
        "'notify':{'url':'http://h/','secret':'x'}|notify.secret|whsec_",
        "'notify':{'url':'http://h/','secret':'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw','x':1}"
            + "|notify.x|one of the keys"
      })
  void aMistakeIsNamed(String change, String path, String expected) {
    ObjectNode settings = (ObjectNode) json("{" + GROUPS + "}");
    settings.setAll((ObjectNode) json("{" + change + "}"));
    InvalidProviderSettings mistake =
        catchThrowableOfType(InvalidProviderSettings.class, () -> of(settings));
    assertThat(mistake).isNotNull();
    assertThat(mistake.path()).isEqualTo(path);
    assertThat(mistake.expected()).contains(expected);
  }
}
