package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.RuleSyntaxException;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Disclosure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a proposal.
 *
 * @param proposal what is proposed
 * @param longestWait how long the request waits for a conclusion
 */
public record ProposalBody(Proposal proposal, Duration longestWait) {

  private static final int MAX_ROUTES = 16;
  private static final long MAX_TIMEOUT_SECONDS = 315_360_000;

  private record Asked(Preferences preferences, Duration longest) {}

  /**
   * Reads it.
   *
   * @param maxDependencies how many edges one call may name
   * @param maxWait the longest wait a request may ask for
   */
  public static Decoded<ProposalBody> read(JsonNode body, int maxDependencies, Duration maxWait) {
    ObjectReader in = ObjectReader.of(body);
    String sessionId = in.id("session_id");
    String turnId = in.id("turn_id");
    String callId = in.id("call_id");
    Boundary boundary = in.constant("boundary", Boundary.class, Boundary.TOOL);
    String tool = in.id("tool");
    JsonNode args = in.object("args");
    String continuation = in.optionalText("continuation_ref", Text.MAX_PROSE);
    List<String> dependsOn = in.texts("depends_on", maxDependencies, Text.MAX_ID);
    String parent = in.optionalText("parent_held_id", Text.MAX_ID);
    Asked asked = preferences(in.nested("preferences"), maxWait);
    Decoded<ProposalBody> decoded =
        in.finish(
            () ->
                new ProposalBody(
                    new Proposal(
                        sessionId,
                        turnId,
                        callId,
                        boundary,
                        tool,
                        args,
                        continuation,
                        dependsOn,
                        parent,
                        asked.preferences),
                    asked.longest));
    ProblemDetails unknown = unknownEdges(dependsOn, parent);
    return decoded instanceof Decoded.Ok && unknown != null
        ? new Decoded.Refused<>(unknown)
        : decoded;
  }

  private static Asked preferences(@Nullable ObjectReader in, Duration maxWait) {
    if (in == null) {
      return new Asked(Preferences.NONE, Duration.ZERO);
    }
    Preferences none = Preferences.NONE;
    Long wait = in.optionalInteger("wait_ms", 0, maxWait.toMillis());
    Preferences preferences =
        new Preferences(
            in.optionalInteger("timeout_s", 1, MAX_TIMEOUT_SECONDS),
            in.constant("on_disconnect", Preferences.OnDisconnect.class, none.onDisconnect()),
            rule(in),
            in.texts("route", MAX_ROUTES, Text.MAX_ID),
            in.constant("transform", Preferences.TransformPosture.class, none.transform()),
            in.constant("disclosure", Disclosure.class, none.disclosure()),
            in.constant("resume", Preferences.Resume.class, none.resume()));
    return new Asked(preferences, Duration.ofMillis(wait == null ? 0 : wait));
  }

  private static @Nullable String rule(ObjectReader in) {
    String text = in.optionalText("require", Text.MAX_PROSE);
    if (text != null && !text.isEmpty()) {
      try {
        RuleParser.parse(text);
      } catch (RuleSyntaxException e) {
        in.invalid("require", String.valueOf(e.getMessage()));
      }
    }
    return text;
  }

  /** What has not even the form of a held id is no call of anybody. */
  private static @Nullable ProblemDetails unknownEdges(
      List<String> dependsOn, @Nullable String parent) {
    List<Rejection.FieldError> places = new ArrayList<>();
    for (int i = 0; i < dependsOn.size(); i++) {
      if (!HeldIds.isWellFormed(dependsOn.get(i))) {
        places.add(new Rejection.FieldError("/depends_on/" + i, "is not the id of a held call"));
      }
    }
    if (parent != null && !HeldIds.isWellFormed(parent)) {
      places.add(new Rejection.FieldError("/parent_held_id", "is not the id of a held call"));
    }
    return places.isEmpty()
        ? null
        : ProblemDetails.of(
            ProblemType.UNKNOWN_DEPENDENCY,
            places.getFirst().pointer() + " " + places.getFirst().message(),
            places);
  }
}
