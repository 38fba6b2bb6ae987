package dev.heldcall.kernel.entity;

import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.route.RouteReport;
import dev.heldcall.kernel.route.RouteState;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.kernel.route.WitnessRouteActor;
import dev.heldcall.kernel.route.WitnessRouteActor.Retire;
import dev.heldcall.kernel.route.WitnessRouteActor.Stands;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * The routes of a call that run in this incarnation of it: one actor for each provider that is
 * asked now, of the current generation only. What they say of themselves decides who is asked next,
 * and nothing else.
 */
final class WitnessRoutes {

  private record Route(
      int generation,
      ActorRef<WitnessRouteActor.Message> actor,
      RouteState state,
      boolean underWay) {
    Route as(RouteReport report) {
      return new Route(generation, actor, report.state(), report.underWay());
    }
  }

  private final ActorContext<HeldCallProtocol.Message> context;
  private final HeldCallRuntime runtime;
  private final ActorRef<RouteReport> reports;
  private final Map<String, Route> routes = new HashMap<>();
  private boolean reload;
  private long started;

  WitnessRoutes(
      ActorContext<HeldCallProtocol.Message> context,
      HeldCallRuntime runtime,
      ActorRef<RouteReport> reports) {
    this.context = context;
    this.runtime = runtime;
    this.reports = reports;
  }

  /** Asks whom there is to ask now, and tells the others how the call stands. */
  void run(HeldCallFacts facts) {
    if (runtime.witnesses().all().isEmpty() || !facts.proposed()) {
      return;
    }
    int generation = facts.requireGeneration().number();
    Set<String> asked =
        runtime
            .witnesses()
            .asked(
                facts, facts.now(runtime.clock().instant()), each -> exhausted(each, generation));
    retire(asked, generation);
    for (String provider : asked) {
      Route known = routes.get(provider);
      if (known == null) {
        runtime.witnesses().of(provider).ifPresent(found -> start(facts, generation, found));
      } else {
        known.actor().tell(new Stands(facts, reload));
      }
    }
    reload = false;
  }

  private boolean exhausted(String provider, int generation) {
    Route known = routes.get(provider);
    return known != null && known.generation() == generation && known.state().exhausted();
  }

  private void start(HeldCallFacts facts, int generation, WitnessProviders.Provider provider) {
    started++;
    ActorRef<WitnessRouteActor.Message> actor =
        context.spawn(
            WitnessRouteActor.create(runtime.routes(), provider, facts, reports),
            "ask-" + provider.contract().id() + "-" + started);
    context.watch(actor);
    routes.put(provider.contract().id(), new Route(generation, actor, RouteState.WANTED, false));
  }

  private void retire(Set<String> asked, int generation) {
    Iterator<Map.Entry<String, Route>> each = routes.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, Route> route = each.next();
      if (!asked.contains(route.getKey()) || route.getValue().generation() != generation) {
        route.getValue().actor().tell(new Retire());
        each.remove();
      }
    }
  }

  /**
   * A route says how it stands.
   *
   * @return whether somebody else may have to be asked now
   */
  boolean reported(RouteReport report) {
    Route known = routes.get(report.key().provider());
    if (known == null || known.generation() != report.key().generation()) {
      return false;
    }
    routes.put(report.key().provider(), known.as(report));
    return known.state() != report.state();
  }

  /** Whether a provider is being talked to. */
  boolean underWay() {
    return routes.values().stream().anyMatch(Route::underWay);
  }

  /** Somebody poked: what the database says is read again at the next run. */
  void poked() {
    reload = true;
  }

  /** An actor has ended. */
  void ended(ActorRef<?> actor) {
    routes.values().removeIf(each -> each.actor().equals(actor));
  }

  /** Nothing runs any more: the call's actor was restarted, and its children with it. */
  void forgetAll() {
    routes.clear();
    reload = false;
  }
}
