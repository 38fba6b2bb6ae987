package dev.heldcall.kernel.policy;

/**
 * One thing wrong with a document.
 *
 * @param pointer RFC 6901, within the document
 * @param message what is wrong and what was expected
 */
public record PolicyProblem(String pointer, String message) {}
