package dev.heldcall.plugin.api;

import java.time.Duration;
import java.util.List;

/**
 * A condition over witness classes (DESIGN.md, witness rule). The value is three-valued; the kernel
 * parses, prints and evaluates it.
 */
public sealed interface WitnessRule {

  /** {@code human}: one approve of the class and no deny. */
  record OfClass(String witnessClass) implements WitnessRule {}

  /**
   * {@code quorum(n, c, deny m)}: approves of {@code approvals} distinct identities and fewer than
   * {@code denials} denies.
   */
  record Quorum(int approvals, String witnessClass, int denials) implements WitnessRule {
    public Quorum {
      if (approvals < 1 || denials < 1) {
        throw new IllegalArgumentException("a quorum counts from 1");
      }
    }
  }

  /** {@code a & b}: true when all parts are, false when one is. */
  record AllOf(List<WitnessRule> parts) implements WitnessRule {
    public AllOf {
      parts = List.copyOf(parts);
    }
  }

  /** {@code a | b}: true when one part is, false when all are. */
  record AnyOf(List<WitnessRule> parts) implements WitnessRule {
    public AnyOf {
      parts = List.copyOf(parts);
    }
  }

  /** {@code fallback(a, d, b)}: {@code b} counts too once {@code after} has passed (rule 12). */
  record Fallback(WitnessRule first, Duration after, WitnessRule then) implements WitnessRule {
    public Fallback {
      if (after.isNegative() || after.isZero()) {
        throw new IllegalArgumentException("a fallback opens after a positive time");
      }
    }
  }
}
