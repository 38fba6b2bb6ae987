package dev.heldcall.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import dev.heldcall.plugin.api.ToolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link HeldcallSettings} from, each over the one before: the built-in {@code
 * reference.conf}, the profile, the files in order, environment variables, the command line. A file
 * that has {@code tools} or {@code policy} replaces the profile's of that name whole; files merge
 * with each other by HOCON's rules.
 */
public final class SettingsReader {

  /** The profile for one machine: a demo's tools and well-known tokens. */
  public static final String DEV = "dev";

  /** The profile that allows nothing which is not configured. */
  public static final String PRODUCTION = "production";

  private static final String PROFILE_VARIABLE = "HELDCALL_PROFILE";
  private static final List<String> REPLACED_WHOLE = List.of("heldcall.tools", "heldcall.policy");

  /** What each environment variable sets. */
  private static final Map<String, String> VARIABLES =
      Map.of(
          "HELDCALL_HTTP_PORT",
          "heldcall.http.port",
          "HELDCALL_HTTP_INTERFACE",
          "heldcall.http.interface",
          "HELDCALL_DATA",
          "heldcall.data",
          "HELDCALL_DB_URL",
          "heldcall.db.url",
          "HELDCALL_DB_USER",
          "heldcall.db.user",
          "HELDCALL_DB_PASSWORD",
          "heldcall.db.password",
          "HELDCALL_CLUSTER_HOST",
          "heldcall.cluster.host",
          "HELDCALL_CLUSTER_PORT",
          "heldcall.cluster.port",
          "HELDCALL_CLUSTER_SEEDS",
          "heldcall.cluster.seeds",
          PROFILE_VARIABLE,
          "heldcall.profile");

  private SettingsReader() {}

  /**
   * Reads and checks the whole configuration.
   *
   * @param files the {@code --config} files, later ones win
   * @param env the environment variables; an empty one counts as not set
   * @param overrides what the command line says
   * @param defaultProfile {@link #DEV} or {@link #PRODUCTION}, for when neither a file nor the
   *     environment names one
   * @throws SettingsException with one line for each problem: key, place, expected, found
   */
  public static HeldcallSettings load(
      List<Path> files, Map<String, String> env, Overrides overrides, String defaultProfile)
      throws SettingsException {
    try {
      return settings(layered(files, env, overrides, defaultProfile));
    } catch (ConfigException e) {
      throw unreadable("heldcall", e);
    }
  }

  private static Config layered(
      List<Path> files, Map<String, String> env, Overrides overrides, String defaultProfile)
      throws SettingsException {
    Config configured = ConfigFactory.empty();
    for (Path file : files) {
      configured = parsed(file).withFallback(configured);
    }
    Config named = variables(env).withFallback(configured);
    Config profile = profile(named, env, defaultProfile);
    for (String key : REPLACED_WHOLE) {
      if (isSet(configured, env, key)) {
        profile = profile.withoutPath(key);
      }
    }
    Config layers =
        commandLine(overrides)
            .withFallback(named)
            .withFallback(profile)
            .withFallback(ConfigFactory.defaultReferenceUnresolved().withOnlyPath("heldcall"));
    return resolved(layers, env, false);
  }

  private static Config parsed(Path file) throws SettingsException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new SettingsException(
          List.of(
              new SettingsProblem("--config", file.toString(), "a readable file", "no such file")));
    }
    try {
      return ConfigFactory.parseFile(
          file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
    } catch (ConfigException e) {
      throw unreadable("--config", e);
    }
  }

  private static SettingsException unreadable(String key, ConfigException e) {
    String place = e.origin() == null ? "configuration" : Places.text(e.origin());
    String message = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    return new SettingsException(
        List.of(new SettingsProblem(key, place, "readable HOCON", message)));
  }

  private static Config profile(Config named, Map<String, String> env, String defaultProfile)
      throws SettingsException {
    ConfigValue value = valueAt(named, env, "heldcall.profile");
    String name = value == null ? defaultProfile : String.valueOf(value.unwrapped());
    if (!name.equals(DEV) && !name.equals(PRODUCTION)) {
      String place = value == null ? "default" : Places.text(value.origin());
      throw new SettingsException(
          List.of(
              new SettingsProblem(
                  "heldcall.profile", place, "one of dev, production", "\"" + name + "\"")));
    }
    return ConfigFactory.parseResources(
            SettingsReader.class.getClassLoader(),
            "profiles/" + name + ".conf",
            ConfigParseOptions.defaults().setAllowMissing(false))
        .withValue("heldcall.profile", ConfigValueFactory.fromAnyRef(name, "profile"));
  }

  private static Config variables(Map<String, String> env) {
    Config config = ConfigFactory.empty();
    for (Map.Entry<String, String> variable : VARIABLES.entrySet()) {
      String text = env.getOrDefault(variable.getKey(), "");
      if (text.isEmpty()) {
        continue;
      }
      Object value = text;
      if (variable.getKey().endsWith("_SEEDS")) {
        value = Arrays.stream(text.split(",")).map(String::trim).filter(s -> !s.isEmpty()).toList();
      }
      config =
          config.withValue(
              variable.getValue(),
              ConfigValueFactory.fromAnyRef(value, "environment variable " + variable.getKey()));
    }
    return config;
  }

  private static Config commandLine(Overrides overrides) {
    Config config = ConfigFactory.empty();
    if (overrides.port() != null) {
      config =
          config.withValue(
              "heldcall.http.port", ConfigValueFactory.fromAnyRef(overrides.port(), "--port"));
    }
    if (overrides.data() != null) {
      config =
          config.withValue(
              "heldcall.data",
              ConfigValueFactory.fromAnyRef(overrides.data().toString(), "--data"));
    }
    return config;
  }

  /** Resolves against the given environment and leaves none of it behind. */
  private static Config resolved(Config layers, Map<String, String> env, boolean allowUnresolved) {
    ConfigObject variables = ConfigValueFactory.fromMap(new HashMap<>(env), "environment");
    ConfigResolveOptions options =
        ConfigResolveOptions.noSystem().setAllowUnresolved(allowUnresolved);
    ConfigObject root = layers.withFallback(variables).resolve(options).root();
    for (String name : env.keySet()) {
      if (!layers.root().containsKey(name)) {
        root = root.withoutKey(name);
      }
    }
    return root.toConfig();
  }

  private static @Nullable ConfigValue valueAt(Config config, Map<String, String> env, String key) {
    Config resolved = resolved(config, env, true);
    return resolved.hasPath(key) ? resolved.getValue(key) : null;
  }

  private static boolean isSet(Config files, Map<String, String> env, String key) {
    try {
      return resolved(files, env, true).hasPathOrNull(key);
    } catch (ConfigException.NotResolved e) {
      return true;
    }
  }

  private static HeldcallSettings settings(Config config) throws SettingsException {
    Problems problems = new Problems();
    if (!(config.root().get("heldcall") instanceof ConfigObject block)) {
      problems.wrong("heldcall", config.getValue("heldcall"), "an object");
      problems.throwIfAny();
      throw new IllegalStateException("a problem was just noted");
    }
    Section root = new Section(block, "heldcall", problems);
    Map<String, String> places = new HashMap<>();
    String profile = root.text("profile", DEV);
    Section httpSection = root.section("http");
    HttpSettings http = SettingsSections.http(httpSection);
    Path data = SettingsSections.data(root);
    DbSettings db = SettingsSections.db(root.optionalSection("db"));
    AuthSettings auth = AuthReader.read(root.section("auth"));
    SettingsSections.refuseDevTokens(httpSection, http.host(), auth);
    Map<String, ToolEntry> tools = new ToolsReader(places).read(root.section("tools"));
    PolicySettings policy = new PolicyReader(problems, places).read(root.section("policy"));
    ClusterSettings cluster = SettingsSections.cluster(root.section("cluster"));
    EffectSettings effect = SettingsSections.effect(root.section("effect"));
    LimitSettings limits = SettingsSections.limits(root.section("limits"));
    Map<String, WitnessSettings> witnesses = WitnessesReader.read(root.section("witnesses"));
    root.refuse("plugins", "nothing: plugins are not in this release");
    root.end();
    problems.throwIfAny();
    return new HeldcallSettings(
        profile, http, data, db, auth, tools, policy, witnesses, cluster, effect, limits, config);
  }
}
