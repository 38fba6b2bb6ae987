package dev.heldcall.kernel.route;

import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.ProviderContract;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What to do next about a route, from what the database and the call's facts say of it, and nothing
 * else.
 */
sealed interface RoutePlan {

  /** The first pause after a try that failed; doubled after each, up to {@link #LONGEST_PAUSE}. */
  Duration FIRST_PAUSE = Duration.ofSeconds(1);

  /** The longest pause. */
  Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** Over a provider's timeout, until an ask that somebody else began counts as ended. */
  Duration GRACE = Duration.ofSeconds(1);

  /**
   * By what a route goes besides what is known of it.
   *
   * @param remindBefore how long before the call's end reminders go out, longest first
   * @param settle over a provider's timeout, until a request that is nowhere to be found counts as
   *     one that never arrived: what was sent in time may show late
   */
  record Terms(List<Duration> remindBefore, Duration settle) {

    public Terms {
      remindBefore = List.copyOf(remindBefore);
    }

    /** How long an ask whose outcome nobody knows is left alone. */
    Duration over(ProviderContract contract) {
      boolean settles = !contract.repeatable() && settle.compareTo(GRACE) > 0;
      return contract.timeout().plus(settles ? settle : GRACE);
    }
  }

  /** Ask. */
  record Ask() implements RoutePlan {}

  /** Find out whether an earlier ask arrived. */
  record Recover() implements RoutePlan {}

  /** Look how the request stands that is out. */
  record Look(String reference) implements RoutePlan {}

  /** See what came of the governed call that it waits for. */
  record Resolve(String nestedHeldId) implements RoutePlan {}

  /** Remind whoever was asked. */
  record Remind(String reference) implements RoutePlan {}

  /**
   * What it brought is on record: an earlier incarnation handed it in and did not live to say so.
   */
  record Conclude() implements RoutePlan {}

  /** Give up, and take back the call of its own that it waits for. */
  record GiveUp(String why) implements RoutePlan {}

  /** Put a new request in place of the old one, which is taken back if it went out. */
  record Renew(Digest contractDigest, @Nullable String oldReference) implements RoutePlan {}

  /** Nothing, until a time, or at all. */
  record Rest(@Nullable Instant until) implements RoutePlan {}

  /** The next step. */
  static RoutePlan next(
      RouteRecord route, HeldCallFacts facts, ProviderContract contract, Terms terms, Instant now) {
    Ruling ruling = facts.ruling();
    Digest asked = ruling == null ? null : ruling.contractDigest();
    if (asked == null) {
      return new Rest(null);
    }
    if (!asked.equals(route.contractDigest()) || outlived(route, facts)) {
      return new Renew(asked, out(route));
    }
    boolean mayGoOut = route.state() == RouteState.WANTED || route.state() == RouteState.ASKING;
    if (mayGoOut && onRecord(route, facts, contract)) {
      return new Conclude();
    }
    return switch (route.state()) {
      case WANTED -> new Ask();
      case ASKING -> asking(route, contract, terms, now);
      case REQUESTED -> requested(route, facts, contract, terms.remindBefore(), now);
      case NESTED -> nested(route, facts, contract, now);
      case UNAVAILABLE -> unavailable(route, contract, now);
      case UNWANTED, WITHDRAWN -> new Renew(asked, out(route));
      case ANSWERED, DEFERRED, REFUSED, IN_DOUBT -> new Rest(null);
    };
  }

  /** What has to be taken back; null if nothing of this round is out there. */
  private static @Nullable String out(RouteRecord route) {
    return switch (route.state()) {
      case REQUESTED, UNAVAILABLE, UNWANTED, NESTED -> route.reference();
      case WANTED, ASKING, ANSWERED, DEFERRED, REFUSED, IN_DOUBT, WITHDRAWN -> null;
    };
  }

  private static boolean onRecord(
      RouteRecord route, HeldCallFacts facts, ProviderContract contract) {
    return facts.evidence().values().stream()
        .anyMatch(each -> isOf(route, each) && each.witness().equals(contract.identity().ref()));
  }

  /** Its evidence ran out or was overtaken, and nobody took it back: it may be given anew. */
  private static boolean outlived(RouteRecord route, HeldCallFacts facts) {
    if (route.state() != RouteState.ANSWERED) {
      return false;
    }
    List<EvidenceState> states =
        facts.evidence().values().stream()
            .filter(each -> isOf(route, each))
            .map(Evidence::state)
            .toList();
    return !states.isEmpty()
        && states.stream()
            .allMatch(each -> each == EvidenceState.EXPIRED || each == EvidenceState.STALE);
  }

  private static boolean isOf(RouteRecord route, Evidence evidence) {
    String id = evidence.attestation().attestationId();
    String request = route.requestId();
    return id.equals(request) || id.startsWith(request + ".");
  }

  private static RoutePlan asking(
      RouteRecord route, ProviderContract contract, Terms terms, Instant now) {
    Instant over = route.updatedAt().plus(terms.over(contract));
    Instant due = latest(over, route.nextAt());
    if (now.isBefore(due)) {
      return new Rest(due);
    }
    return contract.repeatable() ? new Ask() : new Recover();
  }

  private static RoutePlan requested(
      RouteRecord route,
      HeldCallFacts facts,
      ProviderContract contract,
      List<Duration> remindBefore,
      Instant now) {
    String reference = route.reference();
    if (reference == null) {
      return new Rest(null);
    }
    Instant patienceEnds = patienceEnds(route, contract);
    if (patienceEnds != null && !now.isBefore(patienceEnds)) {
      return new GiveUp("no answer within " + patience(contract));
    }
    Instant reminder = reminder(route, facts, remindBefore);
    if (reminder != null && !now.isBefore(reminder)) {
      return new Remind(reference);
    }
    Instant look = route.nextAt();
    if (look != null && !now.isBefore(look)) {
      return new Look(reference);
    }
    return new Rest(earliest(Stream.of(patienceEnds, reminder, look)));
  }

  /**
   * When the next reminder is due that is not out yet; null if none will be. Those whose time was
   * over when the request went out never are: it was reminder enough.
   */
  private static @Nullable Instant reminder(
      RouteRecord route, HeldCallFacts facts, List<Duration> remindBefore) {
    Instant expiresAt = facts.expiresAt();
    Instant askedAt = route.askedAt();
    if (expiresAt == null || askedAt == null) {
      return null;
    }
    return remindBefore.stream()
        .map(expiresAt::minus)
        .filter(askedAt::isBefore)
        .skip(route.reminded())
        .findFirst()
        .orElse(null);
  }

  private static RoutePlan nested(
      RouteRecord route, HeldCallFacts facts, ProviderContract contract, Instant now) {
    String child = route.reference();
    if (child == null) {
      return new Ask();
    }
    Instant patienceEnds = patienceEnds(route, contract);
    if (patienceEnds != null && !now.isBefore(patienceEnds)) {
      return new GiveUp("its own call did not end within " + patience(contract));
    }
    if (!facts.settledChildren().contains(child)) {
      return new Rest(patienceEnds);
    }
    Instant again = route.nextAt();
    boolean pausing = again != null && !again.equals(patienceEnds) && now.isBefore(again);
    return pausing ? new Rest(again) : new Resolve(child);
  }

  private static RoutePlan unavailable(RouteRecord route, ProviderContract contract, Instant now) {
    Instant again = route.nextAt();
    if (again == null) {
      return new Rest(null);
    }
    Instant patienceEnds = patienceEnds(route, contract);
    if (patienceEnds != null && !now.isBefore(patienceEnds)) {
      return new GiveUp("not reached within " + patience(contract));
    }
    if (now.isBefore(again)) {
      return new Rest(again);
    }
    String reference = route.reference();
    return reference == null ? new Ask() : new Look(reference);
  }

  private static String patience(ProviderContract contract) {
    return DurationText.of(Objects.requireNonNull(contract.patience()));
  }

  private static @Nullable Instant patienceEnds(RouteRecord route, ProviderContract contract) {
    Instant askedAt = route.askedAt();
    Duration patience = contract.patience();
    return askedAt == null || patience == null ? null : askedAt.plus(patience);
  }

  /** When to try again after this many tries. */
  static Instant again(int attempts, Instant now) {
    int doublings = Math.min(Math.max(attempts - 1, 0), 12);
    Duration pause = FIRST_PAUSE.multipliedBy(1L << doublings);
    return now.plus(pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause);
  }

  private static Instant latest(Instant one, @Nullable Instant other) {
    return other != null && other.isAfter(one) ? other : one;
  }

  private static @Nullable Instant earliest(Stream<@Nullable Instant> times) {
    List<Instant> known = new ArrayList<>();
    times.forEach(
        each -> {
          if (each != null) {
            known.add(each);
          }
        });
    return known.stream().min(Instant::compareTo).orElse(null);
  }
}
