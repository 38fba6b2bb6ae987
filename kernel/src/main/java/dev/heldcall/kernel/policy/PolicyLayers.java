package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.witness.RuleText;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.ToolEntry;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policy in force for one organization, compiled: {@code effective = kernel floor ⊓
 * organization ⊓ project ⊓ user ⊓ per call} (the design, policy). Immutable, and safe to use from
 * many threads.
 *
 * <p>The project and user layers have their place in the fold ({@code PolicyLayer}); documents that
 * carry them are refused in this release.
 */
public final class PolicyLayers {

  private final PolicyDocument floor;
  private final @Nullable PolicyDocument organization;
  private final ToolBook tools;
  private final @Nullable PolicyDocument builtIn;
  private final Digest floorDigest;
  private final Digest policyVersion;

  private PolicyLayers(
      PolicyDocument floor,
      @Nullable PolicyDocument organization,
      ToolBook tools,
      Digest floorDigest) {
    this.floor = floor;
    this.organization = organization;
    this.tools = tools;
    this.builtIn =
        floor.names(BuiltInTools.POLICY_CHANGE) ? null : BuiltInTools.policyChangeFloor();
    this.floorDigest = floorDigest;
    this.policyVersion = version(floorDigest, organization);
  }

  /**
   * Compiles the layers.
   *
   * @param floor the floor's document
   * @param organization the organization's document, or null if it has none
   * @param tools the configured registry, without the kernel's own tools
   * @throws PolicyException if a document or a tool's schema cannot be used
   */
  public static PolicyLayers compile(
      JsonNode floor, @Nullable JsonNode organization, Map<String, ToolEntry> tools)
      throws PolicyException {
    ToolBook book = ToolBook.compile(tools);
    PolicyDocument floorDocument = document(floor, "floor");
    ObjectNode covered = JsonNodeFactory.instance.objectNode();
    covered.set("floor", floorDocument.json());
    covered.set("tools", book.json());
    return new PolicyLayers(
        floorDocument,
        organization == null ? null : document(organization, "organization"),
        book,
        Digests.ofCanonical(covered));
  }

  /**
   * The same floor and tools, without compiling them again, under another organization's document.
   *
   * @throws PolicyException if the document cannot be used
   */
  public PolicyLayers withOrganization(@Nullable JsonNode document) throws PolicyException {
    return new PolicyLayers(
        floor, document == null ? null : document(document, "organization"), tools, floorDigest);
  }

  private static PolicyDocument document(JsonNode json, String where) throws PolicyException {
    return switch (PolicyDocument.parse(json, where)) {
      case PolicyDocument.Loaded(var document) -> document;
      case PolicyDocument.Refused(var place, var problems) ->
          throw new PolicyException(place, problems);
    };
  }

  private static Digest version(Digest floorDigest, @Nullable PolicyDocument organization) {
    ObjectNode covered = JsonNodeFactory.instance.objectNode();
    covered.put("floor", floorDigest.value());
    covered.put("organization", organization == null ? null : organization.digest().value());
    return Digests.ofCanonical(covered);
  }

  /** What policy says of the call; a function of the call and these layers alone. */
  public Adjudication adjudicate(CallUnderPolicy call) {
    Map<PolicyLayer, List<RuleMatch>> matches = matches(call);
    DisclosureRule disclosure = disclosure(call, matches);
    RuleMatch denied = CapabilityFloor.check(call, tools);
    if (denied != null) {
      return new Adjudication(
          VerdictKind.DENY, null, List.of(denied.reason()), List.of(denied.trace()), disclosure);
    }
    Map<PolicyLayer, VerdictKind> verdicts = new EnumMap<>(PolicyLayer.class);
    matches.forEach(
        (layer, found) ->
            verdicts.put(
                layer,
                VerdictFold.within(
                    found.stream().map(RuleMatch::verdict).toList(), VerdictKind.DEFER)));
    VerdictKind verdict = VerdictFold.across(verdicts);
    List<RuleMatch> all = matches.values().stream().flatMap(List::stream).toList();
    return conclusion(call, verdict, all, disclosure);
  }

  /**
   * What others than the proposer see: the tool's entry and the floor speak for one authority, and
   * each layer below only narrows. A rule counts whenever it matches, whatever its verdict.
   */
  private DisclosureRule disclosure(
      CallUnderPolicy call, Map<PolicyLayer, List<RuleMatch>> matches) {
    ToolBook.Tool tool = call.boundary() == Boundary.TOOL ? tools.find(call.tool()) : null;
    DisclosureRule shown = tool == null ? DisclosureRule.FULL : tool.entry().disclosure();
    for (PolicyLayer layer : PolicyLayer.values()) {
      DisclosureRule said = DisclosureRule.FULL;
      for (RuleMatch match : matches.getOrDefault(layer, List.of())) {
        said = said.beside(match.disclosure());
      }
      shown = layer == PolicyLayer.FLOOR ? shown.beside(said) : shown.narrowedBy(said);
    }
    return shown;
  }

  private Map<PolicyLayer, List<RuleMatch>> matches(CallUnderPolicy call) {
    Map<String, Object> variables = CallVariables.of(call);
    Map<PolicyLayer, List<RuleMatch>> matches = new EnumMap<>(PolicyLayer.class);
    for (PolicyLayer layer : PolicyLayer.values()) {
      String label = layer.label();
      matches.put(
          layer,
          switch (layer) {
            case FLOOR ->
                Stream.of(builtIn, floor)
                    .filter(Objects::nonNull)
                    .flatMap(part -> part.matches(label, call.tool(), variables).stream())
                    .toList();
            case ORGANIZATION ->
                organization == null
                    ? List.of()
                    : organization.matches(label, call.tool(), variables);
            case PROJECT, USER -> List.of();
            case CALL -> ownDemand(call, label);
          });
    }
    return matches;
  }

  private static List<RuleMatch> ownDemand(CallUnderPolicy call, String layer) {
    if (call.require() == null) {
      return List.of();
    }
    String rule = RuleText.of(call.require());
    return List.of(
        new RuleMatch(
            layer,
            "require",
            VerdictKind.REQUIRE_WITNESS,
            Contract.of(rule),
            "the proposal itself requires " + rule));
  }

  private static Adjudication conclusion(
      CallUnderPolicy call, VerdictKind verdict, List<RuleMatch> all, DisclosureRule disclosure) {
    List<Trace> trace = all.stream().map(RuleMatch::trace).toList();
    List<RuleMatch> deciding = all.stream().filter(m -> m.verdict() == verdict).toList();
    List<Reason> reasons = new ArrayList<>(deciding.stream().map(RuleMatch::reason).toList());
    if (verdict == VerdictKind.INDETERMINATE) {
      reasons.add(
          new Reason("kernel", "", "no layer decided, and what nobody decided is not executed"));
    }
    if (verdict != VerdictKind.REQUIRE_WITNESS) {
      return new Adjudication(verdict, null, reasons, trace, disclosure);
    }
    List<Contract> contracts = new ArrayList<>();
    for (RuleMatch match : deciding) {
      contracts.add(Objects.requireNonNull(match.contract()));
    }
    try {
      Contract contract = ContractJoin.of(contracts, call.timeoutSeconds());
      return new Adjudication(verdict, contract, reasons, trace, disclosure);
    } catch (IllegalArgumentException e) {
      reasons.addFirst(
          new Reason("kernel", "", "the joined contract exceeds its bounds: " + e.getMessage()));
      return new Adjudication(VerdictKind.DENY, null, reasons, trace, disclosure);
    }
  }

  /** The digest that evidence is judged under: of the floor's digest and the organization's. */
  public Digest policyVersion() {
    return policyVersion;
  }

  /** The digest of the floor and of every tool's whole entry. */
  public Digest floorDigest() {
    return floorDigest;
  }

  /** The floor's document in canonical form. */
  public JsonNode floor() {
    return floor.json();
  }

  /** The organization's document in canonical form, if it has one. */
  public Optional<JsonNode> organization() {
    return Optional.ofNullable(organization).map(PolicyDocument::json);
  }

  /** The tool's entry, if it is registered. */
  public Optional<ToolEntry> tool(String name) {
    return Optional.ofNullable(tools.find(name)).map(ToolBook.Tool::entry);
  }

  /**
   * The digest of what makes the tool the one that was witnessed: executor, url, method, schema
   * (the design, rule 17).
   *
   * @throws IllegalArgumentException if the tool is not registered
   */
  public Digest toolDigest(String name) {
    ToolBook.Tool tool = tools.find(name);
    if (tool == null) {
      throw new IllegalArgumentException("the tool '" + name + "' is not registered");
    }
    return tool.digest();
  }

  /** Where the arguments break the tool's schema; none if it has no schema or is a gate. */
  public List<SchemaProblem> checkArgs(String tool, JsonNode args) {
    ToolBook.Tool found = tools.find(tool);
    return found == null || found.args() == null ? List.of() : found.args().check(args);
  }

  /** Where the content breaks the tool's result schema; none if it has none. */
  public List<SchemaProblem> checkResult(String tool, JsonNode content) {
    ToolBook.Tool found = tools.find(tool);
    return found == null || found.result() == null ? List.of() : found.result().check(content);
  }
}
