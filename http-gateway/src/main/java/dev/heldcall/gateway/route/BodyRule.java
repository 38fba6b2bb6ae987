package dev.heldcall.gateway.route;

/** Whether an endpoint takes a body. */
public enum BodyRule {
  /** None is read. */
  NONE,
  /** A JSON document. */
  REQUIRED,
  /** A JSON document, or nothing, which stands for an empty object. */
  OPTIONAL,
  /** Bytes of any type, for whoever can tell what they are. */
  BYTES
}
