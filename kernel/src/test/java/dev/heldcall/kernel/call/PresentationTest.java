package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Presentation.Disclosed;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.DisclosureRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is shown of arguments, and what is said to be left out. */
class PresentationTest {

  private static DisclosureRule rule(Disclosure disclosure, String... redact) {
    return new DisclosureRule(disclosure, new TreeSet<>(Set.of(redact)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a           | {'a':1,'b':2}             | {'a':R(number),'b':2}               | /a",
        "/a/b         | {'a':{'b':'x','c':'y'}}   | {'a':{'b':R(string),'c':'y'}}       | /a/b",
        "/a/*         | {'a':{'b':'x','c':null}}  | {'a':{'b':R(string),'c':R(null)}}   | /a/b /a/c",
        "/a/*/x       | {'a':[{'x':true},{'y':1}]} | {'a':[{'x':R(boolean)},{'y':1}]}   | /a/0/x",
        "/a/1         | {'a':[1,[2],3]}           | {'a':[1,R(array),3]}                | /a/1",
        "/a~1b/c~0d   | {'a/b':{'c~d':{}}}        | {'a/b':{'c~d':R(object)}}           | /a~1b/c~0d",
        "/            | {'':1,'b':2}              | {'':R(number),'b':2}                | /",
        "/a /a/b      | {'a':{'b':'x'}}           | {'a':R(object)}                     | /a",
        "/*/x /a      | {'a':{'x':1},'b':{'x':2}} | {'a':R(object),'b':{'x':R(number)}} | /a /b/x",
        "/c           | {'a':1}                   | {'a':1}                             | -",
        "/a/b/c       | {'a':{'b':5}}             | {'a':{'b':5}}                       | -"
      })
  void declaredFieldsAreLeftOutAndEverythingElseIsShown(
      String pointers, String args, String shown, String leftOut) {
    Disclosed seen =
        Presentation.disclosed(json(args), rule(Disclosure.SUMMARY, pointers.split(" ")));
    assertThat(seen.args())
        .isEqualTo(json(shown.replaceAll("R\\((\\w+)\\)", "{'redacted':true,'kind':'$1'}")));
    assertThat(String.join(" ", seen.leftOut())).isEqualTo(leftOut.equals("-") ? "" : leftOut);
    assertThat(seen.leavesOut()).isEqualTo(!leftOut.equals("-"));
  }

  @Test
  void theArgumentsThemselvesAreNotTouched() {
    JsonNode args = json("{'a':{'b':1},'c':[2]}");
    var _ = Presentation.disclosed(args, rule(Disclosure.SUMMARY, "/a/b", "/c/0"));
    assertThat(args).isEqualTo(json("{'a':{'b':1},'c':[2]}"));
  }

  @Test
  void aSummaryWithoutDeclaredFieldsShowsKindsOnly() {
    Disclosed seen = Presentation.disclosed(json("{'a':1,'b':[]}"), rule(Disclosure.SUMMARY));
    assertThat(seen.args()).isEqualTo(json("{'a':'number','b':'array'}"));
    assertThat(seen.leftOut()).containsExactly("");
    assertThat(Presentation.disclosed(json("'x'"), rule(Disclosure.SUMMARY)).args())
        .isEqualTo(json("'string'"));
  }

  @Test
  void theDigestOnlyShowsNothingAndFullShowsAll() {
    Disclosed digest = Presentation.disclosed(json("{'a':1}"), rule(Disclosure.DIGEST));
    assertThat(digest).isEqualTo(new Disclosed(null, Disclosure.DIGEST, List.of("")));
    Disclosed full = Presentation.disclosed(json("{'a':1}"), rule(Disclosure.FULL, "/a"));
    assertThat(full).isEqualTo(new Disclosed(json("{'a':1}"), Disclosure.FULL, List.of()));
  }

  @Test
  void moreThanCanBeListedIsLeftOutAsAWhole() {
    ObjectNode args = JsonNodeFactory.instance.objectNode().put("n", 1);
    for (int i = 0; i < Redaction.MAX_LEFT_OUT; i++) {
      args.withArray("items").addObject().put("iban", "canary");
    }
    DisclosureRule rule = rule(Disclosure.SUMMARY, "/items/*/iban", "/n");
    Disclosed over = Presentation.disclosed(args, rule);
    assertThat(over.leftOut()).containsExactly("/n", "/items");
    assertThat(over.args())
        .hasToString(
            "{\"n\":{\"redacted\":true,\"kind\":\"number\"},"
                + "\"items\":{\"redacted\":true,\"kind\":\"array\"}}");
    args.remove("n");
    assertThat(Presentation.disclosed(args, rule).leftOut()).hasSize(Redaction.MAX_LEFT_OUT);
    Disclosed kinds =
        Presentation.disclosed(args.put("n", 1), rule(Disclosure.SUMMARY, "/*/*/iban", "/n"));
    assertThat(kinds.leftOut()).containsExactly("");
    assertThat(kinds.args()).isEqualTo(json("{'items':'array','n':'number'}"));
  }

  /** The pointers of all that is shown as it is. */
  private static Set<String> shown(JsonNode args, DisclosureRule rule) {
    Disclosed seen = Presentation.disclosed(args, rule);
    Set<String> shown = new TreeSet<>();
    if (!seen.leftOut().contains("")) {
      leaves(args, "", shown);
      shown.removeIf(
          each ->
              seen.leftOut().stream()
                  .anyMatch(out -> each.equals(out) || each.startsWith(out + "/")));
    }
    return shown;
  }

  private static void leaves(JsonNode node, String at, Set<String> into) {
    if (node.isObject()) {
      node.properties().forEach(each -> leaves(each.getValue(), at + "/" + each.getKey(), into));
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        leaves(node.get(i), at + "/" + i, into);
      }
    } else {
      into.add(at);
    }
  }

  private static final JsonNode TREE =
      json("{'a':{'a':1,'b':[{'a':2},{'b':3}]},'b':[{'a':4,'b':5},6],'c':7}");

  @Provide
  Arbitrary<DisclosureRule> rules() {
    Arbitrary<String> pointer =
        Arbitraries.of("a", "b", "c", "0", "1", "*")
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(path -> "/" + String.join("/", path));
    return Combinators.combine(Arbitraries.of(Disclosure.class), pointer.set().ofMaxSize(3))
        .as((disclosure, redact) -> new DisclosureRule(disclosure, new TreeSet<>(redact)));
  }

  /** Invariant 8: a lower layer, a preference or a cap never shows more. */
  @Property(tries = 2_000)
  void whoeverComesLaterOnlyNarrows(
      @ForAll("rules") DisclosureRule upper, @ForAll("rules") DisclosureRule lower) {
    assertThat(shown(TREE, upper)).containsAll(shown(TREE, upper.narrowedBy(lower)));
  }

  @Property(tries = 2_000)
  void bothTogetherShowNoMoreThanEither(
      @ForAll("rules") DisclosureRule one, @ForAll("rules") DisclosureRule other) {
    Set<String> both = shown(TREE, one.and(other));
    assertThat(shown(TREE, one)).containsAll(both);
    assertThat(shown(TREE, other)).containsAll(both);
    assertThat(one.and(other)).isEqualTo(other.and(one));
    assertThat(one.beside(other)).isEqualTo(other.beside(one));
  }

  /** What was left out is nowhere in what is shown, and what is shown is as it is. */
  @Property(tries = 2_000)
  void theListOfWhatIsLeftOutIsTheTruth(@ForAll("rules") DisclosureRule rule) {
    Disclosed seen = Presentation.disclosed(TREE, rule);
    JsonNode args = seen.args();
    if (args == null || seen.leftOut().contains("")) {
      return;
    }
    for (String each : shown(TREE, rule)) {
      assertThat(args.at(each)).isEqualTo(TREE.at(each));
    }
    for (String out : seen.leftOut()) {
      assertThat(args.at(out).path("redacted").asBoolean()).as(out).isTrue();
    }
  }

  private static final PolicyLayers CARD =
      CoreFixtures.layers(
          "{'id':'all','tools':['*'],'verdict':'REQUIRE_WITNESS','contract':{'rule':'human'},"
              + "'redact':['/card']}",
          null,
          CoreFixtures.TOOLS);

  private static LiveCall card(PolicyLayers layers, Disclosure preferred) {
    LiveCall call = LiveCall.under(layers);
    Preferences none = Preferences.NONE;
    Preferences preferences =
        new Preferences(
            null, none.onDisconnect(), null, List.of(), none.transform(), preferred, none.resume());
    var _ =
        call.run(
            LiveCall.propose(
                LiveCall.proposal(
                    CoreFixtures.TRANSFER, json("{'card':'c','n':1}"), List.of(), preferences)));
    return call;
  }

  @Test
  void policyPreferenceAndCapAreTakenTogether() {
    List<String> seen = new ArrayList<>();
    for (Disclosure preferred : Disclosure.values()) {
      for (Disclosure cap : Disclosure.values()) {
        Disclosed shown = Presentation.disclosed(card(CARD, preferred).facts(), cap);
        seen.add(preferred.wireName() + " " + cap.wireName() + " " + shown.leftOut());
      }
    }
    assertThat(seen)
        .containsExactly(
            "full full [/card]",
            "full summary [/card]",
            "full digest []",
            "summary full [/card]",
            "summary summary [/card]",
            "summary digest []",
            "digest full []",
            "digest summary []",
            "digest digest []");
  }

  private static Ruling ruling(PolicyLayers layers) {
    return Objects.requireNonNull(card(layers, Disclosure.FULL).facts().ruling());
  }

  @Test
  void theContractAndItsDigestDoNotKnowOfDisclosure() {
    Ruling with = ruling(CARD);
    Ruling without = ruling(CoreFixtures.demand("human", "{'expires_s': 86400}"));
    assertThat(with.contractDigest()).isEqualTo(without.contractDigest());
    assertThat(with.disclosed()).isEqualTo(rule(Disclosure.SUMMARY, "/card"));
    assertThat(without.disclosure()).isNull();
  }

  @Test
  void whatNobodyRuledOnShowsItsDigest() {
    HeldCallFacts facts = card(CARD, Disclosure.FULL).facts();
    HeldCallFacts unruled =
        HeldCallReducer.reduceAll(
            HeldCallFacts.NONE,
            List.of(
                new HeldCallEvent.CallProposed(
                    new EventMeta("ev-1", CoreFixtures.START, "agent-1"),
                    facts.requireSpec(),
                    facts.requireGeneration())));
    assertThat(Presentation.disclosed(unruled, Disclosure.FULL).args()).isNull();
  }
}
