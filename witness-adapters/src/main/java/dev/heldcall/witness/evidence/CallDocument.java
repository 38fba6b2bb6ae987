package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A held call as one JSON document for a service that judges it: {@code call}, what it is, and
 * {@code bindings}, what an answer is bound to. Its fields are said in docs/guides; they are only
 * ever added to.
 */
public final class CallDocument {

  private CallDocument() {}

  /**
   * The document of a request.
   *
   * @param needs the places of the arguments without which nobody can judge the call; {@code ""} is
   *     all of them
   * @throws Undecidable if one of them is not disclosed or not there
   */
  public static ObjectNode of(WitnessRequest request, List<JsonPointer> needs) throws Undecidable {
    DisclosedArgs args = DisclosedArgs.of(request);
    for (JsonPointer need : needs) {
      args.at(need);
    }
    return of(request);
  }

  /** The document of a request, as far as it is disclosed. */
  public static ObjectNode of(WitnessRequest request) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.set("call", call(request));
    document.set("bindings", bindings(request));
    return document;
  }

  private static ObjectNode call(WitnessRequest request) {
    ObjectNode call = JsonNodeFactory.instance.objectNode();
    call.put("boundary", request.boundary().wireName()).put("tool", request.tool());
    call.set("args", request.args());
    call.put("args_digest", request.argsDigest().value());
    call.put("disclosure", request.disclosure().wireName());
    ArrayNode leftOut = call.putArray("left_out");
    request.leftOut().forEach(leftOut::add);
    call.putObject("proposer")
        .put("org", request.proposer().org())
        .put("project", request.proposer().project())
        .put("id", request.proposer().id())
        .put("model_family", request.proposerModelFamily());
    call.put("created_at", request.createdAt().toString());
    call.put("expires_at", text(request.expiresAt()));
    return call;
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static ObjectNode bindings(WitnessRequest request) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("request_id", request.requestId())
        .put("held_id", request.heldId())
        .put("generation", request.generation())
        .put("call_digest", request.callDigest().value())
        .put("contract_digest", request.contractDigest().value())
        .put("witness_class", request.witnessClass());
  }
}
