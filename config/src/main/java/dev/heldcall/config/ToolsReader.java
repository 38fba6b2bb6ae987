package dev.heldcall.config;

import com.typesafe.config.ConfigValue;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.ToolEntry;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the tool registry ({@code heldcall.tools}). */
final class ToolsReader {

  /** Names under this belong to the kernel. */
  static final String RESERVED_PREFIX = "heldcall.";

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MAX_TIMEOUT = Duration.ofHours(24);
  private static final Duration MAX_RETENTION = Duration.ofDays(3650);
  private static final long MAX_RESULT_BYTES = 64L << 20;
  private static final long DEFAULT_RESULT_BYTES = 1L << 20;
  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:-]{0,127}");

  private final Map<String, String> places;

  ToolsReader(Map<String, String> places) {
    this.places = places;
  }

  Map<String, ToolEntry> read(Section tools) {
    Map<String, ToolEntry> entries = new TreeMap<>();
    tools
        .entries()
        .forEach(
            (name, entry) -> {
              if (!NAME.matcher(name).matches()) {
                tools.wrong(
                    name, "a tool name of at most 128 letters, digits and . _ - / : characters");
              } else if (name.startsWith(RESERVED_PREFIX)) {
                tools.wrong(name, "a name that does not begin with the reserved 'heldcall.'");
              }
              entries.put(name, tool(name, entry));
            });
    return entries;
  }

  private ToolEntry tool(String name, Section entry) {
    ExecutorKind executor = executor(entry);
    String url = executor == ExecutorKind.HTTP ? requiredUrl(entry) : forbiddenUrl(entry, executor);
    String method = method(entry);
    String capability = entry.text("capability", "none");
    Duration timeout = entry.duration("timeout", LEAST, MAX_TIMEOUT, Duration.ofSeconds(10));
    boolean idempotent = entry.flag("idempotent", false);
    Duration retention =
        entry.duration("key-retention", Duration.ZERO, MAX_RETENTION, Duration.ofHours(24));
    String readBack = readBack(entry);
    note(name, entry, "schema");
    note(name, entry, "result-schema");
    var schema = entry.verbatim("schema");
    var resultSchema = entry.verbatim("result-schema");
    Section result = entry.section("result");
    long maxBytes = result.bytes("max-bytes", 1, MAX_RESULT_BYTES, DEFAULT_RESULT_BYTES);
    secrets(result);
    result.end();
    DisclosureRule disclosure = disclosure(entry);
    entry.end();
    return new ToolEntry(
        name,
        executor,
        url,
        method,
        capability,
        timeout,
        idempotent,
        retention,
        readBack,
        schema,
        resultSchema,
        maxBytes,
        disclosure);
  }

  private static DisclosureRule disclosure(Section entry) {
    Disclosure disclosure =
        entry.has("disclosure") ? entry.choice("disclosure", Disclosure.class) : null;
    TreeSet<String> redact = new TreeSet<>();
    for (String pointer : entry.texts("redact")) {
      if (DisclosureRule.problem(pointer) == null) {
        redact.add(pointer);
      } else {
        entry.wrong(
            "redact",
            "a list of JSON Pointers of at most "
                + DisclosureRule.MAX_POINTER
                + " characters, such as /card_number or /items/*/iban");
      }
    }
    if (redact.size() > DisclosureRule.MAX_REDACT) {
      entry.wrong("redact", "a list of at most " + DisclosureRule.MAX_REDACT + " JSON Pointers");
      redact.clear();
    }
    return DisclosureRule.declared(disclosure, redact);
  }

  private void note(String tool, Section entry, String key) {
    ConfigValue value = entry.value(key);
    if (value != null) {
      String pointer = "/" + tool.replace("~", "~0").replace("/", "~1") + "/";
      places.put(Places.key("tools", pointer + key.replace('-', '_')), Places.text(value.origin()));
    }
  }

  private static ExecutorKind executor(Section entry) {
    ExecutorKind executor = entry.choice("executor", ExecutorKind.class);
    if (executor == null) {
      return ExecutorKind.CLIENT;
    }
    switch (executor) {
      case MCP -> entry.wrong("executor", "http or client: mcp is not in this release");
      case KERNEL -> entry.wrong("executor", "http or client: kernel is for the built-in tools");
      case HTTP, CLIENT -> {}
    }
    return executor;
  }

  private static @Nullable String requiredUrl(Section entry) {
    String url = entry.optionalText("url");
    if (url == null) {
      if (!entry.has("url")) {
        entry.wrong("url", "an absolute http or https URL");
      }
      return null;
    }
    checkUrl(entry, "url", url);
    return url;
  }

  private static @Nullable String forbiddenUrl(Section entry, ExecutorKind executor) {
    if (executor == ExecutorKind.CLIENT) {
      entry.refuse("url", "no url for a tool whose executor is client");
    } else {
      entry.has("url");
    }
    return null;
  }

  private static void checkUrl(Section entry, String key, String url) {
    try {
      URI uri = new URI(url);
      String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      if (uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getFragment() == null
          && (scheme.equals("http") || scheme.equals("https"))) {
        return;
      }
    } catch (URISyntaxException e) {
      // noted below, with the place
    }
    entry.wrong(key, "an absolute http or https URL without user info or fragment");
  }

  private static String method(Section entry) {
    String method = entry.optionalText("method");
    if (method == null) {
      return "POST";
    }
    if (!METHODS.contains(method)) {
      entry.wrong("method", "one of POST, PUT, PATCH, DELETE");
    }
    return method;
  }

  private static @Nullable String readBack(Section entry) {
    Section readBack = entry.optionalSection("read-back");
    if (readBack == null) {
      return null;
    }
    String url = readBack.text("url", "http://localhost/{idempotency_key}");
    String filled = url.replace("{idempotency_key}", "key").replace("{held_id}", "id");
    if (!url.contains("{idempotency_key}")) {
      readBack.wrong("url", "a URL with {idempotency_key}");
    } else {
      checkUrl(readBack, "url", filled);
    }
    readBack.end();
    return url;
  }

  /** Only the default and its absence are known yet; another wish is refused, not ignored. */
  private static void secrets(Section result) {
    String secrets = result.optionalText("secrets");
    if (secrets == null || secrets.equals("quarantine") || secrets.equals("off")) {
      return;
    }
    result.wrong(
        "secrets",
        secrets.equals("redact")
            ? "quarantine or off: redact is not in this release"
            : "one of quarantine, off");
  }
}
