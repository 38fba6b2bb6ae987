package dev.heldcall.kernel.digest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.PrincipalRef;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The digests that evidence is bound to (HTTP API, digests). Each covers a canonical JSON document
 * that anyone can rebuild from what the API shows.
 */
public final class Digests {

  private Digests() {}

  /** The digest of exactly these bytes. */
  public static Digest sha256(byte[] bytes) {
    return new Digest("sha256:" + HexFormat.of().formatHex(sha256Bytes(bytes)));
  }

  /**
   * The digest of a document's canonical form; of a call's arguments it is the {@code args_digest}.
   *
   * @throws IllegalArgumentException if the document has no canonical form
   */
  public static Digest ofCanonical(JsonNode tree) {
    return sha256(CanonicalJson.bytes(tree));
  }

  /**
   * The {@code call_digest}: which tool, with which arguments, for whom, in which generation.
   *
   * @param generation the call's generation, from 1
   */
  public static Digest call(
      String heldId,
      int generation,
      Boundary boundary,
      String tool,
      Digest argsDigest,
      PrincipalRef principal) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("v", 1);
    document.put("held_id", heldId);
    document.put("generation", generation);
    document.put("boundary", boundary.wireName());
    document.put("tool", tool);
    document.put("args_digest", argsDigest.value());
    document
        .putObject("principal")
        .put("org", principal.org())
        .put("project", principal.project())
        .put("id", principal.id());
    return ofCanonical(document);
  }

  /**
   * The contract as the API shows it, without its {@code digest}: {@code rule}, {@code veto},
   * {@code independence}, {@code on_refuted}, {@code expires_s}, {@code signed}. Arrays are sorted.
   */
  public static ObjectNode contractJson(Contract contract) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("rule", contract.rule());
    ArrayNode veto = document.putArray("veto");
    contract.veto().forEach(veto::add);
    ArrayNode independence = document.putArray("independence");
    contract.independence().stream()
        .map(Independence::wireName)
        .sorted()
        .forEach(independence::add);
    document.put("on_refuted", contract.onRefuted().wireName());
    document.put("expires_s", contract.expiresSeconds());
    document.put("signed", contract.signed());
    return document;
  }

  /** The contract's digest: over {@link #contractJson} and nothing else (the design, rule 10). */
  public static Digest contract(Contract contract) {
    return ofCanonical(contractJson(contract));
  }

  static byte[] sha256Bytes(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
