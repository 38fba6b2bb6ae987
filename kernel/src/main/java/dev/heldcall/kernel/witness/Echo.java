package dev.heldcall.kernel.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.digest.SubtreeDigests;
import dev.heldcall.kernel.witness.Verification.Invalid;
import dev.heldcall.plugin.api.Digest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds evidence that only says again what the proposer itself supplied. It bears out nothing: who
 * wrote the call could have written it.
 *
 * <p><b>A digest is an echo</b> if it is that of the call or the contract, of the canonical form of
 * the arguments or of any value in them, of the UTF-8 bytes of a string in them or of another text
 * of the proposal, each as it stands and without the white space around it; or if such a string is
 * itself that digest. Only SHA-256 is known, in any usual spelling ({@link DigestText}).
 *
 * <p><b>A text is an echo</b> if, without the white space around it, it has {@value #MIN_TEXT}
 * characters or more and equals a string in the arguments or another text of the proposal. Shorter
 * ones coincide: "approved", an account's number.
 *
 * <p><b>Evidence is an echo</b> if a member {@code digest}, {@code uri} or {@code text}, at any
 * depth, is one, or if all its values are, the outermost {@code type} left aside. Another member
 * may name what of the call was looked at, such as a commit, beside what was found.
 *
 * <p>The cost is one walk over the evidence and, only if something in it could be an echo, one over
 * the arguments ({@link SubtreeDigests}).
 */
final class Echo {

  /** Texts of fewer characters are not compared. */
  static final int MIN_TEXT = 16;

  private static final Set<String> DIGEST_MEMBERS = Set.of("digest");
  private static final Set<String> TEXT_MEMBERS = Set.of("uri", "text");

  /**
   * One value within the evidence.
   *
   * @param pointer where, within the attestation
   * @param member the name of the nearest member that it is under, in lower case
   * @param text its text, empty if it is no string
   * @param digest the digest that it spells, empty if it spells none
   */
  private record Leaf(String pointer, String member, String text, String digest) {

    boolean couldEcho() {
      return text.length() >= MIN_TEXT;
    }
  }

  private final List<Leaf> leaves = new ArrayList<>();

  /** What in the evidence was found to be supplied: digests in hexadecimal, and texts. */
  private final Set<String> echoes = new HashSet<>();

  private final Set<String> digests = new HashSet<>();
  private final Set<String> texts = new HashSet<>();

  private Echo(JsonNode evidence) {
    collect(evidence, "/evidence", "", true);
    for (Leaf leaf : leaves) {
      if (leaf.couldEcho()) {
        texts.add(leaf.text());
        if (!leaf.digest().isEmpty()) {
          digests.add(leaf.digest());
        }
      }
    }
  }

  /** Why the evidence bears out nothing, or empty. */
  static Optional<Invalid> in(JsonNode evidence, CallBinding binding) {
    Echo echo = new Echo(evidence);
    if (echo.texts.isEmpty()) {
      return Optional.empty();
    }
    echo.lookAt(binding);
    return echo.fault();
  }

  private void collect(JsonNode node, String pointer, String member, boolean outermost) {
    if (node.isObject()) {
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        if (!(outermost && field.getKey().equals("type"))) {
          String escaped = field.getKey().replace("~", "~0").replace("/", "~1");
          String name = field.getKey().toLowerCase(Locale.ROOT);
          collect(field.getValue(), pointer + "/" + escaped, name, false);
        }
      }
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        collect(node.get(i), pointer + "/" + i, member, false);
      }
    } else if (!node.isNull()) {
      String text = node.isTextual() ? node.textValue().strip() : "";
      leaves.add(new Leaf(pointer, member, text, DigestText.hex(text).orElse("")));
    }
  }

  private void lookAt(CallBinding binding) {
    found(hexOf(binding.callDigest()));
    if (binding.contractDigest() != null) {
      found(hexOf(binding.contractDigest()));
    }
    for (String word : binding.supplied().words()) {
      supplied(word);
    }
    if (digests.isEmpty()) {
      strings(binding.supplied().args());
    } else {
      SubtreeDigests.visit(
          binding.supplied().args(),
          (part, sha256) -> {
            found(HexFormat.of().formatHex(sha256));
            if (part.isTextual()) {
              supplied(part.textValue());
            }
          });
    }
  }

  private static String hexOf(Digest digest) {
    return digest.value().substring("sha256:".length());
  }

  private void strings(JsonNode node) {
    if (node.isTextual()) {
      supplied(node.textValue());
    } else {
      node.forEach(this::strings);
    }
  }

  /** A text that the proposer supplied. */
  private void supplied(String text) {
    String stripped = text.strip();
    if (texts.contains(stripped)) {
      echoes.add(stripped);
    }
    if (digests.isEmpty()) {
      return;
    }
    DigestText.hex(stripped).filter(digests::contains).ifPresent(echoes::add);
    foundDigestOf(text);
    if (stripped.length() != text.length()) {
      foundDigestOf(stripped);
    }
  }

  private void foundDigestOf(String text) {
    found(hexOf(Digests.sha256(text.getBytes(UTF_8))));
  }

  private void found(String hex) {
    if (digests.contains(hex)) {
      echoes.add(hex);
    }
  }

  private boolean echoes(Leaf leaf) {
    return echoes.contains(leaf.text()) || echoes.contains(leaf.digest());
  }

  private Optional<Invalid> fault() {
    for (Leaf leaf : leaves) {
      if (echoes(leaf) && DIGEST_MEMBERS.contains(leaf.member())) {
        return Optional.of(
            new Invalid(
                "not independent: the evidence's digest is of what the proposer itself supplied",
                leaf.pointer()));
      }
      if (echoes(leaf) && TEXT_MEMBERS.contains(leaf.member())) {
        return Optional.of(
            new Invalid(
                "not independent: the evidence's "
                    + leaf.member()
                    + " is what the proposer itself supplied",
                leaf.pointer()));
      }
    }
    if (!leaves.isEmpty() && leaves.stream().allMatch(this::echoes)) {
      return Optional.of(
          new Invalid(
              "not independent: the evidence says nothing but what the proposer itself supplied",
              "/evidence"));
    }
    return Optional.empty();
  }
}
