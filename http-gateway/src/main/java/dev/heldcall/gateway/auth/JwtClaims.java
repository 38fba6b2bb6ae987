package dev.heldcall.gateway.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.JwtIssuerSettings;
import dev.heldcall.kernel.signature.SignatureProblem;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a verified token says, and how much of it counts: nothing beyond what its issuer may grant.
 *
 * @param claims verified
 * @param issuer whose token it is
 */
record JwtClaims(ObjectNode claims, JwtIssuerSettings issuer) {

  private static final int MAX_NAME = 256;
  private static final int MAX_ITEMS = 256;

  /**
   * Whom it names.
   *
   * @throws SignatureProblem if it is not for us, not now, or a claim is missing or malformed
   */
  Principal principal(Instant now) throws SignatureProblem {
    audience();
    times(now);
    JwtIssuerSettings.Claims names = issuer.claims();
    String id = name(names.id());
    if (id == null) {
      throw new SignatureProblem("the token has no '" + names.id() + "'");
    }
    Set<Role> roles = roles(names.roles());
    if (roles.isEmpty()) {
      throw new SignatureProblem("the token gives no role that its issuer may grant");
    }
    TreeSet<String> classes = texts(names.witnessClasses());
    classes.retainAll(issuer.grants().witnessClasses());
    TreeSet<String> capabilities = texts(names.capabilities());
    capabilities.retainAll(issuer.grants().capabilities());
    return new Principal(
        id,
        org(names.org()),
        project(names.project()),
        roles,
        classes,
        capabilities,
        name(names.onBehalfOf()),
        name(names.modelFamily()));
  }

  private void audience() throws SignatureProblem {
    JsonNode aud = claims.path("aud");
    boolean ours = aud.isTextual() && issuer.audience().contains(aud.textValue());
    for (JsonNode each : aud.isArray() ? aud : claims.arrayNode()) {
      ours = ours || (each.isTextual() && issuer.audience().contains(each.textValue()));
    }
    if (!ours) {
      throw new SignatureProblem("the token is for another audience");
    }
  }

  private void times(Instant now) throws SignatureProblem {
    Duration skew = issuer.skew();
    Instant expires = time("exp");
    if (expires == null) {
      throw new SignatureProblem("the token has no 'exp'");
    }
    if (!now.isBefore(expires.plus(skew))) {
      throw new SignatureProblem("the token has expired");
    }
    Instant notBefore = time("nbf");
    if (notBefore != null && now.isBefore(notBefore.minus(skew))) {
      throw new SignatureProblem("the token is not valid yet");
    }
    Instant issued = time("iat");
    if (issued != null && now.isBefore(issued.minus(skew))) {
      throw new SignatureProblem("the token was issued in the future");
    }
  }

  private @Nullable Instant time(String claim) throws SignatureProblem {
    JsonNode value = claims.get(claim);
    if (value == null) {
      return null;
    }
    // A NumericDate may have a fraction; one outside of these bounds is no time of our days.
    if (!value.isNumber() || value.doubleValue() < 0 || value.doubleValue() > 253_402_300_799d) {
      throw new SignatureProblem("the token's '" + claim + "' is no time");
    }
    return Instant.ofEpochMilli((long) (value.doubleValue() * 1000));
  }

  private String org(String claim) throws SignatureProblem {
    String org = name(claim);
    if (org == null && issuer.orgs().size() == 1) {
      return issuer.orgs().getFirst();
    }
    if (org == null) {
      throw new SignatureProblem("the token has no '" + claim + "'");
    }
    if (!issuer.orgs().contains(org)) {
      throw new SignatureProblem("the token's issuer does not speak for that organization");
    }
    return org;
  }

  private String project(String claim) throws SignatureProblem {
    String project = name(claim);
    String pinned = issuer.project();
    if (pinned != null && project != null && !project.equals(pinned)) {
      throw new SignatureProblem("the token's issuer does not speak for that project");
    }
    if (pinned == null && project == null) {
      throw new SignatureProblem("the token has no '" + claim + "'");
    }
    return pinned == null ? String.valueOf(project) : pinned;
  }

  /** Roles that we do not know are those of others. */
  private Set<Role> roles(String claim) throws SignatureProblem {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    TreeSet<String> said = texts(claim);
    for (Role role : issuer.grants().roles()) {
      if (said.contains(role.wireName())) {
        roles.add(role);
      }
    }
    return roles;
  }

  private @Nullable String name(String claim) throws SignatureProblem {
    JsonNode value = claims.get(claim);
    if (value == null || value.isNull()) {
      return null;
    }
    String text = value.textValue();
    if (text == null
        || text.isEmpty()
        || text.length() > MAX_NAME
        || text.chars().anyMatch(Character::isISOControl)) {
      throw new SignatureProblem("the token's '" + claim + "' is no name");
    }
    return text;
  }

  /** A list of texts, or one text with spaces between, as {@code scope} has it (RFC 8693). */
  private TreeSet<String> texts(String claim) throws SignatureProblem {
    JsonNode value = claims.get(claim);
    TreeSet<String> texts = new TreeSet<>();
    if (value == null || value.isNull()) {
      return texts;
    }
    if (value.isTextual()) {
      texts.addAll(List.of(value.textValue().split(" ")));
      return texts;
    }
    boolean good = value.isArray() && value.size() <= MAX_ITEMS;
    for (JsonNode each : value) {
      good = good && each.isTextual();
      texts.add(each.asText());
    }
    if (!good) {
      throw new SignatureProblem("the token's '" + claim + "' is no list of texts");
    }
    return texts;
  }
}
