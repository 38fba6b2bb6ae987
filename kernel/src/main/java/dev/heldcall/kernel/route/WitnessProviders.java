package dev.heldcall.kernel.route;

import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The witness providers of a node: whom to ask for a class, and how to reach them. */
public final class WitnessProviders implements AutoCloseable {

  /** None at all. */
  public static final WitnessProviders NONE = new WitnessProviders(List.of());

  private final Map<String, Provider> byId = new LinkedHashMap<>();

  /**
   * One provider.
   *
   * @param contract what it may be
   * @param asked how it is reached
   */
  public record Provider(ProviderContract contract, WitnessProvider asked) {}

  /** These, cheapest first. */
  public WitnessProviders(Collection<Provider> providers) {
    providers.stream()
        .sorted(
            Comparator.<Provider>comparingInt(each -> each.contract().cost())
                .thenComparing(each -> each.contract().id()))
        .forEach(each -> byId.put(each.contract().id(), each));
  }

  /** The provider of the name. */
  public Optional<Provider> of(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** All of them, cheapest first. */
  public Collection<Provider> all() {
    return Collections.unmodifiableCollection(byId.values());
  }

  /** Whether the organization has any. */
  public boolean serve(String org) {
    return byId.values().stream().anyMatch(each -> each.contract().identity().org().equals(org));
  }

  /** Those of a class in an organization, cheapest first. */
  public List<ProviderContract> of(String org, String witnessClass) {
    List<ProviderContract> found = new ArrayList<>();
    for (Provider each : byId.values()) {
      ProviderContract contract = each.contract();
      if (contract.identity().org().equals(org) && contract.witnessClass().equals(witnessClass)) {
        found.add(contract);
      }
    }
    return found;
  }

  /**
   * Everybody who may come to be asked about a call as it stands, now or when a cheaper one has
   * come to nothing; empty when evidence would change nothing.
   */
  public SortedSet<String> wanted(HeldCallFacts facts, Instant now) {
    SortedSet<String> wanted = new TreeSet<>();
    if (!byId.isEmpty() && asking(facts, now)) {
      String org = facts.requireSpec().proposer().org();
      for (String witnessClass : EvidenceView.askedClasses(facts)) {
        of(org, witnessClass).forEach(each -> wanted.add(each.id()));
      }
    }
    return wanted;
  }

  /**
   * Whom to ask now.
   *
   * @param exhausted the providers of which nothing more comes
   */
  public SortedSet<String> asked(HeldCallFacts facts, Instant now, Predicate<String> exhausted) {
    WitnessRule rule = EvidenceView.rule(facts);
    Contract contract = EvidenceView.contract(facts);
    if (byId.isEmpty() || rule == null || contract == null || !asking(facts, now)) {
      return Collections.emptySortedSet();
    }
    String org = facts.requireSpec().proposer().org();
    boolean onePartEach = contract.independence().contains(Independence.DISTINCT_IDENTITIES);
    return RouteStaging.asked(
        rule,
        Set.copyOf(facts.openFallbacks()),
        each -> of(org, each),
        exhausted,
        onePartEach ? List.of() : EvidenceView.votes(facts, now));
  }

  private static boolean asking(HeldCallFacts facts, Instant now) {
    return facts.proposed() && facts.undecided() && !EvidenceView.satisfied(facts, now);
  }

  @Override
  public void close() {
    byId.values().forEach(each -> each.asked().close());
  }
}
