package dev.heldcall.kernel.api;

import dev.heldcall.config.WitnessSettings;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProviderType;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/** Makes the witness providers that are configured, of the kinds that are on the class path. */
final class ConfiguredWitnesses {

  private ConfiguredWitnesses() {}

  /**
   * All of them.
   *
   * @throws WitnessesRefusedException if one cannot be made; then none is left open
   */
  static WitnessProviders load(Collection<WitnessSettings> configured, Clock clock) {
    if (configured.isEmpty()) {
      return WitnessProviders.NONE;
    }
    Map<String, WitnessProviderType> kinds = new TreeMap<>();
    ServiceLoader.load(WitnessProviderType.class).forEach(type -> kinds.put(type.kind(), type));
    ProviderServices services =
        new ProviderServices(
            clock,
            Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("heldcall-witness-", 0).factory()));
    List<WitnessProviders.Provider> made = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (WitnessSettings each : configured) {
      WitnessProviderType type = kinds.get(each.kind());
      if (type == null) {
        problems.add(
            line(each, "kind", "one of " + String.join(", ", kinds.keySet()))
                + ", found \""
                + each.kind()
                + "\"");
        continue;
      }
      ProviderContract contract = contract(each, type);
      try {
        made.add(
            new WitnessProviders.Provider(
                contract, type.create(contract, each.settings(), services)));
      } catch (InvalidProviderSettings e) {
        problems.add(line(each, "settings." + e.path(), e.expected()));
      } catch (RuntimeException | LinkageError e) {
        problems.add(
            "heldcall.witnesses." + each.id() + " (" + each.place() + "): its kind failed: " + e);
      }
    }
    if (!problems.isEmpty()) {
      made.forEach(each -> each.asked().close());
      throw new WitnessesRefusedException(problems);
    }
    return new WitnessProviders(made);
  }

  private static ProviderContract contract(WitnessSettings from, WitnessProviderType type) {
    Boolean repeatable = from.repeatable();
    return new ProviderContract(
        from.id(),
        from.kind(),
        from.witnessClass(),
        from.identity(),
        from.cost(),
        from.timeout(),
        from.patience(),
        repeatable == null ? type.repeatable() : repeatable,
        from.onNestedRefused(),
        from.disclosure(),
        from.validity(),
        from.maxAnswerBytes());
  }

  private static String line(WitnessSettings at, String key, String expected) {
    return "heldcall.witnesses."
        + at.id()
        + "."
        + key
        + " ("
        + at.placeOf(key)
        + "): expected "
        + expected;
  }
}
