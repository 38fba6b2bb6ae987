package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of witness rule, with the same words in every order in which they can arrive. */
@ParameterizedClass
@EnumSource(Engine.class)
class ExpressionsTest extends ProductTest {

  ExpressionsTest(Engine engine) {
    super(engine);
  }

  private Held demanding(String rule) {
    ObjectNode proposal = proposal("by_client");
    proposal.set("preferences", Json.of("require", rule));
    return propose(agent, proposal);
  }

  /** Votes are spelt {@code who+class} for an approve and {@code who-class} for a deny. */
  @ParameterizedTest(name = "{0} with {2}: {3}")
  @CsvSource(
      delimiter = ';',
      value = {
        "human;human;alice+human;satisfied",
        "all(human, ci);human & ci;alice+human ci+ci;satisfied",
        "human & ci & compliance;human & ci & compliance;alice+human ci+ci compliance+compliance;satisfied",
        "(human & ci);human & ci;alice+human ci-ci;denied",
        "human | ci;human | ci;alice-human ci+ci;satisfied",
        "any(human, ci);human | ci;alice-human ci-ci;denied",
        "quorum(2, human);quorum(2, human);alice+human bob+human;satisfied",
        "quorum(2, human);quorum(2, human);alice+human bob+human carol-human;denied",
        "quorum(2, human, deny 2);quorum(2, human, deny 2);alice+human bob+human carol-human;satisfied",
        "quorum(1, human, deny 2);quorum(1, human, deny 2);alice+human alice-human;unsatisfied",
        "quorum(1, human, deny 2);quorum(1, human, deny 2);alice+human alice-human bob+human;satisfied",
        "(human & ci) | quorum(2, human);human & ci | quorum(2, human);alice+human ci-ci bob+human;satisfied",
        "any(all(human, ci), compliance);human & ci | compliance;ci-ci compliance-compliance alice+human;denied",
        "fallback(ci, 1h, human);fallback(ci, 1h, human);alice+human;unsatisfied",
        "fallback(ci, 60m, human);fallback(ci, 1h, human);alice+human ci+ci;satisfied",
        "fallback(ci, 1h, human) | compliance;fallback(ci, 1h, human) | compliance;alice-human ci+ci;satisfied",
        "fallback(ci, 1h, human);fallback(ci, 1h, human);ci-ci alice+human;denied",
      })
  void foldTheSameInEveryOrder(String rule, String canonical, String votes, String end) {
    List<String> words = List.of(votes.split(" "));
    for (List<String> order : orders(words)) {
      Held held = demanding(rule);
      assertThat(held.answer().is(202).text("/contract/rule")).isEqualTo(canonical);
      for (String vote : order) {
        attest(held, vote);
      }
      Got call = held.read();
      String said = end.equals("denied") ? "/status/lifecycle" : "/status/readiness";
      assertThat(call.text(said)).as("%s in the order %s", rule, order).isEqualTo(end);
      assertThat(held.lease(agent).status())
          .as("the lease in the order %s", order)
          .isEqualTo(end.equals("satisfied") ? 200 : 409);
    }
  }

  private void attest(Held held, String vote) {
    int at = Math.max(vote.indexOf('+'), vote.indexOf('-'));
    String decision = vote.charAt(at) == '+' ? "approve" : "deny";
    Got got =
        held.attest(
            as(vote.substring(0, at)), held.attestation(vote, vote.substring(at + 1), decision));
    assertThat(got.status()).as(got.text()).isIn(202, 409);
    if (got.status() == 409) {
      assertThat(got.slug()).isEqualTo("stale");
    }
  }

  private static List<List<String>> orders(List<String> words) {
    if (words.isEmpty()) {
      return List.of(List.of());
    }
    return IntStream.range(0, words.size())
        .boxed()
        .flatMap(
            i -> {
              List<String> rest = new ArrayList<>(words);
              String first = rest.remove((int) i);
              return orders(rest).stream()
                  .map(tail -> Stream.concat(Stream.of(first), tail.stream()).toList());
            })
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "human &;at position 7: expected a witness class, '(', quorum(, fallback(, all( or any(, found the end of the rule",
        "human human;at position 6: expected '&', '|' or the end of the rule, found 'human'",
        "(human;at position 6: expected '&', '|' or ')', found the end of the rule",
        "Human;at position 0: expected a witness class, '(', quorum(, fallback(, all( or any(, found 'H'",
        "quorum(0, human);at position 7: expected a count from 1 to 1000, found '0'",
        "quorum(2 human);at position 9: expected ',', found 'human'",
        "quorum(2, human, 1);at position 17: expected deny and a count, found '1'",
        "fallback(ci, 10, human);at position 13: expected a duration from 1ms to 3650d, such as 10m, found '10'",
        "fallback(ci, 10m);at position 16: expected ',', found ')'",
        "all();at position 4: expected a witness class, '(', quorum(, fallback(, all( or any(, found ')'",
        "any(human,);at position 10: expected a witness class, '(', quorum(, fallback(, all( or any(, found ')'",
        "human || ci;at position 7: expected a witness class, '(', quorum(, fallback(, all( or any(, found '|'",
      })
  void thatAreMalformedAreRefusedWithThePositionAndWhatWasExpected(String rule, String message) {
    Got asked = demanding(rule).answer().isProblem(422, "invalid-field");
    assertThat(asked.text("/errors/0/pointer")).isEqualTo("/preferences/require");
    assertThat(asked.text("/errors/0/message")).isEqualTo(message);

    OwnOrganization acme = new OwnOrganization(node, Cast.ACME);
    Got document =
        acme.proposeChange(
                "malformed-" + session(),
                acme.epoch(),
                OwnOrganization.document(OwnOrganization.rule("r", "act", rule)))
            .answer()
            .isProblem(422, "policy-document");
    assertThat(document.text("/errors/0/pointer")).isEqualTo("/document/rules/0/contract/rule");
    assertThat(document.text("/errors/0/message")).contains(message);
  }

  @Test
  void ofNothingAreRefusedToo() {
    for (String nothing : Set.of("  ", "()")) {
      Got asked = demanding(nothing).answer().isProblem(422, "invalid-field");
      assertThat(asked.text("/errors/0/message")).contains("at position", "a witness class");
    }
    var _ = demanding("").answer().isProblem(422, "invalid-field");
  }
}
