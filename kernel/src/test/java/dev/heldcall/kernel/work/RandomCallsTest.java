package dev.heldcall.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.Decision;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallDecider;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.LiveCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Any sequence of moves: time jumps, policies change, reports are lost, doubled and reordered,
 * processes die. {@link LiveCall} holds every turn to the invariants; here the journal is held to
 * replay, and the sequences to have been everywhere.
 */
class RandomCallsTest {

  private static final Set<String> EVENTS_SEEN = new TreeSet<>();
  private static final Set<String> WORK_SEEN = new TreeSet<>();

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void everyInvariantHoldsAfterEveryTurn(@ForAll("moves") List<Move> moves) {
    LiveCall call = LiveCall.under(Move.POLICIES.get(moves.getFirst().a() % 7));
    for (Move move : moves) {
      move.play(call);
      look(call);
    }
    call.journal().forEach(each -> EVENTS_SEEN.add(each.getClass().getSimpleName()));
    replayIsEqual(call);
    repetitionChangesNothing(call);
  }

  private static void look(LiveCall call) {
    for (EnabledWork item : HeldCallReconciler.plan(call.facts(), call.context()).items()) {
      WORK_SEEN.add(item.getClass().getSimpleName());
      if (item instanceof EnabledWork.Decide decide) {
        enabledWorkLeadsSomewhere(call, decide);
      }
    }
  }

  /** What the reconciler finds enabled is what the decider then writes, if its policy is fresh. */
  private static void enabledWorkLeadsSomewhere(LiveCall call, EnabledWork.Decide decide) {
    CallContext context = call.context();
    Decision decision = HeldCallDecider.decide(call.facts(), decide.command(), context);
    assertThat(decision.events().isEmpty() && decided(decide, context))
        .as("%s leads to nothing", decide)
        .isFalse();
  }

  private static boolean decided(EnabledWork.Decide decide, CallContext context) {
    return !(decide.command() instanceof HeldCallCommand.GrantLease)
        && !(decide.command() instanceof HeldCallCommand.RuleAgain && context.policy() == null);
  }

  private static void replayIsEqual(LiveCall call) {
    assertThat(HeldCallReducer.reduceAll(HeldCallFacts.NONE, call.journal()))
        .isEqualTo(call.facts());
  }

  private static void repetitionChangesNothing(LiveCall call) {
    for (HeldCallEvent event : call.journal()) {
      assertThat(HeldCallReducer.reduce(call.facts(), event))
          .as("%s told again", event)
          .isEqualTo(call.facts());
    }
    List<HeldCallEvent> doubled = new ArrayList<>();
    for (HeldCallEvent event : call.journal()) {
      doubled.add(event);
      doubled.add(event);
      doubled.add(call.journal().getFirst());
    }
    assertThat(HeldCallReducer.reduceAll(HeldCallFacts.NONE, doubled)).isEqualTo(call.facts());
  }

  @AfterProperty
  void everythingWasVisited() {
    assertThat(EVENTS_SEEN).containsAll(names(HeldCallEvent.class));
    assertThat(WORK_SEEN).containsAll(names(EnabledWork.class));
  }

  private static List<String> names(Class<?> sealed) {
    return Stream.of(sealed.getPermittedSubclasses()).map(Class::getSimpleName).toList();
  }

  @Provide
  Arbitrary<List<Move>> moves() {
    List<Move.Kind> weighted =
        Arrays.stream(Move.Kind.values())
            .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
            .toList();
    Arbitrary<Integer> number = Arbitraries.integers().between(0, 59);
    return Combinators.combine(Arbitraries.of(weighted), number, number)
        .as(Move::new)
        .list()
        .ofSize(30);
  }
}
