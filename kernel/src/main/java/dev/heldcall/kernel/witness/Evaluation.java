package dev.heldcall.kernel.witness;

/**
 * The outcome of a rule over the votes that count.
 *
 * @param value the rule's own value, vetoes aside
 * @param readiness what follows from it and the vetoes
 */
public record Evaluation(RuleValue value, Readiness readiness) {}
