package dev.heldcall.config;

import com.typesafe.config.Config;
import dev.heldcall.plugin.api.ToolEntry;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a node is configured with, checked: what is here was within its bounds when the node
 * started.
 *
 * @param profile {@code dev} or {@code production}
 * @param http where the gateway listens
 * @param data the folder of the embedded database and of whatever else the node keeps
 * @param db the external database, or null for the embedded one under {@code data}
 * @param auth the static tokens
 * @param tools the tool registry by tool name, without the kernel's own tools
 * @param policy the policy documents as configured
 * @param witnesses the witness providers by name
 * @param cluster where this node is reached by others, and whom it joins
 * @param effect timing and attempts of the effect protocol
 * @param limits the bounds of bodies, lists, waits and queues
 * @param raw the whole resolved configuration, blocks of other libraries included
 */
public record HeldcallSettings(
    String profile,
    HttpSettings http,
    Path data,
    @Nullable DbSettings db,
    AuthSettings auth,
    Map<String, ToolEntry> tools,
    PolicySettings policy,
    Map<String, WitnessSettings> witnesses,
    ClusterSettings cluster,
    EffectSettings effect,
    LimitSettings limits,
    Config raw) {

  public HeldcallSettings {
    tools = Collections.unmodifiableMap(new LinkedHashMap<>(tools));
    witnesses = Collections.unmodifiableMap(new LinkedHashMap<>(witnesses));
  }

  /** Without the raw configuration, which may hold secrets. */
  @Override
  public String toString() {
    return "HeldcallSettings[profile="
        + profile
        + ", http="
        + http
        + ", data="
        + data
        + ", db="
        + db
        + ", tools="
        + tools.keySet()
        + ", cluster="
        + cluster
        + "]";
  }
}
