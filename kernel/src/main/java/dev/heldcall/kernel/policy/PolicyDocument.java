package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.RuleSatisfiability;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The rules of one layer, compiled. As JSON, with snake_case keys:
 *
 * <pre>
 * { "rules": [ { "id", "tools": […], "when"?, "verdict", "contract"?: { "rule", "veto"?, "expires_s"?,
 *                "independence"?, "on_refuted"?, "signed"? }, "message"? } ],
 *   "default"?: "DEFER", "projects"?: {}, "users"?: {} }
 * </pre>
 *
 * At most 1,000 rules; a condition is at most 4,096 characters.
 */
public final class PolicyDocument {

  private final List<PolicyRule> rules;
  private final VerdictKind defaultVerdict;
  private final JsonNode json;

  PolicyDocument(List<PolicyRule> rules, VerdictKind defaultVerdict, JsonNode json) {
    this.rules = List.copyOf(rules);
    this.defaultVerdict = defaultVerdict;
    this.json = json;
  }

  /** What became of reading a document. */
  public sealed interface Parsed {}

  /** It can be used. */
  public record Loaded(PolicyDocument document) implements Parsed {}

  /**
   * It cannot.
   *
   * @param where which document, as the caller named it
   * @param problems at least one
   */
  public record Refused(String where, List<PolicyProblem> problems) implements Parsed {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Reads and compiles a document.
   *
   * @param where how problems are to name it
   */
  public static Parsed parse(JsonNode document, String where) {
    JsonNode canonical;
    try {
      canonical = CanonicalJson.canonical(document);
    } catch (IllegalArgumentException e) {
      return new Refused(where, List.of(new PolicyProblem("", "not I-JSON: " + e.getMessage())));
    }
    DocumentReader reader = new DocumentReader();
    PolicyDocument read = reader.read(canonical);
    return reader.problems().isEmpty() ? new Loaded(read) : new Refused(where, reader.problems());
  }

  /**
   * The rules that could never be satisfied, although everybody approved.
   *
   * @param roster who holds a witness class
   */
  public static List<PolicyProblem> unsatisfiable(
      PolicyDocument document, Function<String, Collection<PrincipalRef>> roster) {
    List<PolicyProblem> problems = new ArrayList<>();
    for (int i = 0; i < document.rules.size(); i++) {
      Contract contract = document.rules.get(i).contract();
      if (contract != null) {
        String at = "/rules/" + i + "/contract/rule";
        RuleSatisfiability.problem(
                RuleParser.parse(contract.rule()),
                contract.veto(),
                contract.independence().contains(Independence.DISTINCT_IDENTITIES),
                roster)
            .ifPresent(problem -> problems.add(new PolicyProblem(at, problem)));
      }
    }
    return problems;
  }

  /** The document in canonical form, as it is shown and digested. */
  public JsonNode json() {
    return json;
  }

  /** The digest of the canonical form. */
  public Digest digest() {
    return Digests.ofCanonical(json);
  }

  /** Whether a rule names the tool itself, not by a pattern. */
  boolean names(String tool) {
    return rules.stream().anyMatch(rule -> rule.names(tool));
  }

  /** What the layer says: its matches, or its default as the one match if it decides. */
  List<RuleMatch> matches(String layer, String tool, Map<String, Object> variables) {
    List<RuleMatch> matches = new ArrayList<>();
    for (PolicyRule rule : rules) {
      RuleMatch match = rule.match(layer, tool, variables);
      if (match != null) {
        matches.add(match);
      }
    }
    if (matches.isEmpty() && defaultVerdict != VerdictKind.DEFER) {
      matches.add(
          new RuleMatch(
              layer,
              "default",
              defaultVerdict,
              null,
              "no rule matched; the default is " + defaultVerdict.wireName()));
    }
    return matches;
  }
}
