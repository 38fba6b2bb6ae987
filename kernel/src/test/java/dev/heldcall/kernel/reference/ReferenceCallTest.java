package dev.heldcall.kernel.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.policy.PolicyException;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/** Whole calls, told to the product and to the reference, command by command. */
class ReferenceCallTest {

  private static final int EXPIRES = 300;
  private static final List<String> CLASSES = List.of("a", "b", "c");

  /** Whom each delegate acts for; of the boss's two the boss itself never attests. */
  private static final Map<String, String> ACTS_FOR =
      Map.of("bot", "w1", "aide", "boss", "helper", "boss", "spy", "agent-1");

  private static final List<String> WITNESSES =
      List.of("w1", "w2", "w3", "bot", "aide", "helper", "spy");
  private static final PolicyLayers BASE = CoreFixtures.layers("", null, CoreFixtures.TOOLS);

  private enum Kind {
    ATTEST,
    REVOKE,
    TICK,
    EDIT,
    LEASE
  }

  /** Seconds pass, and somebody does something. */
  private record Step(
      Kind kind, int later, int id, String who, String as, boolean approve, int life) {}

  /** What is asked for. */
  private record Terms(Wanted rule, boolean veto, boolean distinct, boolean holds) {}

  @Property(tries = 10_000, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
  void theProductSaysWhatTheTableSays(
      @ForAll("terms") Terms terms, @ForAll("steps") List<Step> steps) {
    LiveCall call = held(terms);
    ReferenceCall reference = reference(terms);
    int now = 0;
    for (int i = 0; i < steps.size(); i++) {
      Step step = byWhoGaveIt(call, steps.get(i));
      now += step.later();
      call.at(CoreFixtures.START.plusSeconds(now));
      String said = tell(call, step, now);
      assertThat(said)
          .as("step %d of %s under %s: the answer", i + 1, steps, terms)
          .isEqualTo(tell(reference, step, now));
      HeldCallStatus status = call.status();
      assertThat(call.facts().lifecycle().wireName())
          .as("step %d of %s under %s: the lifecycle", i + 1, steps, terms)
          .isEqualTo(reference.lifecycle());
      assertThat(call.dispatches() > 0).isEqualTo(reference.leased());
      if (reference.lifecycle().equals("open") && !reference.leased()) {
        assertThat(status.readiness().wireName())
            .as("step %d of %s under %s", i + 1, steps, terms)
            .isEqualTo(reference.readiness(now));
      }
      assertThat(status.explain()).isNotEmpty().hasSizeLessThan(64);
    }
    assertThat(call.restart().facts().evidence()).hasSizeLessThanOrEqualTo(steps.size());
  }

  @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
  void whatIsSaidTogetherFoldsTheSameInEveryOrder(
      @ForAll("terms") Terms given, @ForAll("steps") List<Step> steps, @ForAll Random random) {
    Terms terms = new Terms(given.rule(), given.veto(), given.distinct(), true);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      order.add(i);
    }
    LiveCall one = held(terms);
    order.forEach(i -> attestAs(one, i, steps.get(i)));
    Collections.shuffle(order, random);
    LiveCall other = held(terms);
    order.forEach(i -> attestAs(other, i, steps.get(i)));
    assertThat(other.status().readiness()).isEqualTo(one.status().readiness());
    assertThat(other.status().ruleValue()).isEqualTo(one.status().ruleValue());
  }

  /** Most of what is taken back is taken back by its witness. */
  private static Step byWhoGaveIt(LiveCall call, Step step) {
    if (step.kind() != Kind.REVOKE || !step.approve()) {
      return step;
    }
    List<String> ids = List.copyOf(call.facts().evidence().keySet());
    if (ids.isEmpty()) {
      return step;
    }
    String id = ids.get(step.id() % ids.size());
    return new Step(
        Kind.REVOKE,
        step.later(),
        Integer.parseInt(id.substring(1)),
        call.evidence(id).witness().id(),
        step.as(),
        true,
        step.life());
  }

  private static void attestAs(LiveCall call, int number, Step step) {
    Step own = new Step(Kind.ATTEST, 0, number, step.who(), step.as(), step.approve(), 60);
    var _ = tell(call, own, 0);
  }

  private static String tell(LiveCall call, Step step, int now) {
    HeldCallCommand command =
        switch (step.kind()) {
          case ATTEST -> new HeldCallCommand.Attest(principal(step.who()), attestation(call, step));
          case REVOKE ->
              new HeldCallCommand.RevokeAttestation(
                  principal(step.who()), "i" + step.id(), "by mistake");
          case TICK -> new HeldCallCommand.Tick();
          case EDIT ->
              new HeldCallCommand.EditCall(
                  CoreFixtures.AGENT,
                  call.facts().requireGeneration().number(),
                  null,
                  CoreFixtures.json("{'at': " + now + "}"));
          case LEASE ->
              new HeldCallCommand.TakeLease(
                  CoreFixtures.AGENT, call.facts().requireGeneration().number(), "w", null);
        };
    String said = LiveCall.said(call.run(command).answer());
    return switch (step.kind()) {
      case LEASE -> said.startsWith("leased ") ? "leased" : "not leased";
      case EDIT -> said.equals("stands") ? "edited" : "not edited";
      case ATTEST, REVOKE, TICK -> said;
    };
  }

  private static String tell(ReferenceCall call, Step step, int now) {
    return switch (step.kind()) {
      case ATTEST ->
          call.attest(
              now, "i" + step.id(), step.who(), step.as(), step.approve(), until(step, now));
      case REVOKE -> call.revoke(now, "i" + step.id(), step.who());
      case TICK -> {
        call.tick(now);
        yield "stands";
      }
      case EDIT -> call.edit(now) ? "edited" : "not edited";
      case LEASE -> call.lease(now) ? "leased" : "not leased";
    };
  }

  private static int until(Step step, int now) {
    return now + step.life();
  }

  private static Attestation attestation(LiveCall call, Step step) {
    Attestation bound =
        call.attestation("i" + step.id(), principal(step.who()), AttestationDecision.APPROVE);
    Instant issued = CoreFixtures.START.minusSeconds(1);
    return new Attestation(
        bound.attestationId(),
        bound.generation(),
        bound.callDigest(),
        bound.contractDigest(),
        step.as(),
        step.approve() ? AttestationDecision.APPROVE : AttestationDecision.DENY,
        null,
        null,
        issued,
        call.now().plusSeconds(step.life()),
        null);
  }

  private static Principal principal(String id) {
    return new Principal(
        id,
        "acme",
        "default",
        Set.of(Role.WITNESS),
        new TreeSet<>(CLASSES),
        new TreeSet<>(),
        ACTS_FOR.get(id),
        null);
  }

  private static LiveCall held(Terms terms) {
    ObjectNode document = (ObjectNode) CoreFixtures.json("{'rules': [{}]}");
    ObjectNode rule = (ObjectNode) document.at("/rules/0");
    rule.put("id", "all").put("verdict", "REQUIRE_WITNESS").putArray("tools").add("*");
    ObjectNode contract = rule.putObject("contract");
    contract.put("rule", terms.rule().text(terms.veto()));
    contract.put("expires_s", EXPIRES);
    contract.put("on_refuted", terms.holds() ? "hold" : "deny");
    ArrayNode veto = contract.putArray("veto");
    veto(terms).forEach(veto::add);
    ArrayNode independence = contract.putArray("independence");
    if (terms.distinct()) {
      independence.add("distinct-identities");
    }
    try {
      return LiveCall.proposed(BASE.withOrganization(document), CoreFixtures.DESK);
    } catch (PolicyException e) {
      throw new IllegalStateException(document.toString(), e);
    }
  }

  private static ReferenceCall reference(Terms terms) {
    return new ReferenceCall(
        terms.rule(), veto(terms), terms.distinct(), terms.holds(), EXPIRES, ACTS_FOR);
  }

  private static Set<String> veto(Terms terms) {
    return terms.veto() ? Set.of("c") : Set.of();
  }

  @Provide
  Arbitrary<Terms> terms() {
    Arbitrary<Wanted> leaves =
        Combinators.combine(
                Arbitraries.of(CLASSES),
                Arbitraries.frequency(Tuple.of(4, 1), Tuple.of(3, 2), Tuple.of(1, 3)),
                Arbitraries.frequency(Tuple.of(4, 1), Tuple.of(1, 2)))
            .as(Wanted::leaf);
    Arbitrary<Wanted> rules =
        Arbitraries.recursive(() -> leaves, ReferenceCallTest::compound, 0, 2)
            .filter(rule -> rule.leaves().size() <= 4);
    Arbitrary<Boolean> coin = Arbitraries.of(true, false);
    return Combinators.combine(rules, coin, coin, coin).as(Terms::new);
  }

  private static Arbitrary<Wanted> compound(Arbitrary<Wanted> inner) {
    return Arbitraries.oneOf(
        inner.list().ofMinSize(1).ofMaxSize(2).map(Wanted::both),
        inner.list().ofMinSize(1).ofMaxSize(2).map(Wanted::either),
        Combinators.combine(inner, Arbitraries.of(20, 60, 400), inner).as(Wanted::fallback));
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(12, Kind.ATTEST),
                Tuple.of(4, Kind.REVOKE),
                Tuple.of(2, Kind.TICK),
                Tuple.of(1, Kind.EDIT),
                Tuple.of(1, Kind.LEASE)),
            Arbitraries.frequency(Tuple.of(6, 0), Tuple.of(4, 5), Tuple.of(3, 20), Tuple.of(1, 90)),
            Arbitraries.integers().between(0, 7),
            Arbitraries.of(WITNESSES),
            Arbitraries.of(CLASSES),
            Arbitraries.frequency(Tuple.of(5, true), Tuple.of(1, false)),
            Arbitraries.frequency(
                Tuple.of(8, 1_000), Tuple.of(3, 30), Tuple.of(2, 10), Tuple.of(1, 0)))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }
}
