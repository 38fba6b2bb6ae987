package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.WireName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the proposer asks for; it can narrow or route, never widen (API.md, section 1).
 *
 * @param timeoutSeconds caps how long the call is held, in seconds, or null for the contract's own
 * @param onDisconnect what a dropped connection does while the proposal waits
 * @param require a witness rule that is demanded on top of policy's, or null
 * @param route where the witness request should go, names of routes
 * @param transform whether a transform may be applied, previewed, or not at all
 * @param disclosure how much of the arguments witnesses see
 * @param resume how the agent wishes to be resumed
 */
public record Preferences(
    @Nullable Long timeoutSeconds,
    OnDisconnect onDisconnect,
    @Nullable String require,
    List<String> route,
    TransformPosture transform,
    Disclosure disclosure,
    Resume resume) {

  /** Nothing asked for. */
  public static final Preferences NONE =
      new Preferences(
          null,
          OnDisconnect.KEEP,
          null,
          List.of(),
          TransformPosture.APPLY,
          Disclosure.FULL,
          Resume.FOREGROUND);

  public Preferences {
    route = List.copyOf(route);
  }

  /** What a dropped connection does while the proposal waits. */
  public enum OnDisconnect implements WireName {
    /** Nothing: the call stays as it is. */
    KEEP("keep"),
    /** The call is cancelled if nothing was dispatched. */
    CANCEL("cancel");

    private final String wireName;

    OnDisconnect(String wireName) {
      this.wireName = wireName;
    }

    @Override
    public String wireName() {
      return wireName;
    }
  }

  /** What the proposer lets a transform do. */
  public enum TransformPosture implements WireName {
    /** Apply it. */
    APPLY("apply"),
    /** Hold until the proposer accepts the difference. */
    PREVIEW("preview"),
    /** Refuse instead. */
    FORBID("forbid");

    private final String wireName;

    TransformPosture(String wireName) {
      this.wireName = wireName;
    }

    @Override
    public String wireName() {
      return wireName;
    }
  }

  /** How the agent wishes to be resumed. */
  public enum Resume implements WireName {
    /** It waits. */
    FOREGROUND("foreground"),
    /** It reads its mailbox. */
    INBOX("inbox"),
    /** It is called. */
    WEBHOOK("webhook"),
    /** Only when a person asks. */
    CLICK("click");

    private final String wireName;

    Resume(String wireName) {
      this.wireName = wireName;
    }

    @Override
    public String wireName() {
      return wireName;
    }
  }
}
