package dev.heldcall.witness.decision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;

/** How one kind of decision service is spoken to: always a POST of JSON. */
sealed interface DecisionProtocol permits OpaProtocol, JsonProtocol {

  /** Where to. */
  URI url();

  /**
   * The body that asks about a call.
   *
   * @param call the call's document
   */
  ObjectNode question(ObjectNode call);

  /**
   * What a 200 answer means.
   *
   * @param body an object
   * @param callDigest the call that was asked about
   */
  ServiceDecision read(JsonNode body, String callDigest);
}
