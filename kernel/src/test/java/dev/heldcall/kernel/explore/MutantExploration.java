package dev.heldcall.kernel.explore;

import java.util.function.UnaryOperator;

/**
 * What runs inside a mutant: explores a scenario of the given name and answers what is wrong, or
 * nothing.
 */
public final class MutantExploration implements UnaryOperator<String> {

  @Override
  public String apply(String name) {
    for (Scenario each : Scenarios.all()) {
      if (each.name().equals(name)) {
        Exploration explored = Explorer.explore(each, Transitions.declared(), 200_000);
        return explored.fault() == null ? "" : explored.fault();
      }
    }
    throw new IllegalArgumentException("no scenario '" + name + "'");
  }
}
