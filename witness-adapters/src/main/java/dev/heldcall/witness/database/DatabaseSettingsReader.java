package dev.heldcall.witness.database;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.database.DatabaseSettings.OnMismatch;
import dev.heldcall.witness.database.Expectation.Expected;
import dev.heldcall.witness.evidence.SettingsObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the settings of a {@code database} provider. */
final class DatabaseSettingsReader {

  /**
   * Options of a URL that would undo what makes a query harmless, or run statements of their own.
   */
  private static final Pattern UNDOING =
      Pattern.compile(
          "(?i)[?&;](readonlymode|readonly|preferquerymode|options|init|password" + "|user)=");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Set<String> RESERVED = Set.of("digest", "uri", "text");
  private static final Duration LEAST = Duration.ofMillis(250);

  private final ProviderContract contract;
  private final SettingsObject settings;

  DatabaseSettingsReader(ProviderContract contract, JsonNode settings)
      throws InvalidProviderSettings {
    this.contract = contract;
    this.settings = SettingsObject.of(settings);
  }

  DatabaseSettings read() throws InvalidProviderSettings {
    String sql = sql();
    SettingsObject pool = settings.optionalObject("pool");
    DatabaseSettings read =
        new DatabaseSettings(
            name(),
            url(),
            settings.optionalText("user"),
            settings.secret("password"),
            sql,
            parameters(SqlText.of(sql).parameters()),
            expectation(),
            settings.word("on-mismatch", "deny", List.of("deny", "defer")).equals("deny")
                ? OnMismatch.DENY
                : OnMismatch.DEFER,
            settings.integer("max-rows", 100, 1, 1000),
            show(),
            settings.duration("statement-timeout", statementTimeout(), LEAST, contract.timeout()),
            pool == null ? 2 : pool.integer("size", 2, 1, 16),
            pool == null
                ? poolWait()
                : pool.duration("wait", poolWait(), LEAST, contract.timeout()));
    if (pool != null) {
      pool.done();
    }
    settings.done();
    return read;
  }

  /** Half of the provider's time, so that there is some left to say what went wrong. */
  private Duration statementTimeout() {
    return atLeast(contract.timeout().dividedBy(2));
  }

  private Duration poolWait() {
    return atLeast(contract.timeout().dividedBy(4));
  }

  private static Duration atLeast(Duration duration) {
    return duration.compareTo(LEAST) < 0 ? LEAST : duration;
  }

  private String name() throws InvalidProviderSettings {
    String name = settings.optionalText("name");
    if (name == null) {
      return contract.id();
    }
    if (!NAME.matcher(name).matches()) {
      throw settings.wrong("name", "a name of letters, digits, . _ -");
    }
    return name;
  }

  private String url() throws InvalidProviderSettings {
    String url = settings.text("url");
    if (!url.startsWith("jdbc:postgresql:") && !url.startsWith("jdbc:h2:")) {
      throw settings.wrong("url", "a JDBC URL that begins with jdbc:postgresql: or jdbc:h2:");
    }
    if (UNDOING.matcher(url).find()) {
      throw settings.wrong(
          "url",
          "a JDBC URL without user, password and the options readOnly, readOnlyMode,"
              + " preferQueryMode, options and INIT");
    }
    return url;
  }

  private String sql() throws InvalidProviderSettings {
    String sql = settings.text("sql");
    String fault = SqlText.of(sql).fault();
    if (fault != null) {
      throw settings.wrong("sql", fault);
    }
    return sql;
  }

  private List<QueryParameter> parameters(int wanted) throws InvalidProviderSettings {
    List<QueryParameter> parameters = new ArrayList<>();
    List<JsonNode> elements = settings.list("parameters");
    for (int i = 0; i < elements.size(); i++) {
      parameters.add(parameter("parameters." + i, elements.get(i)));
    }
    if (parameters.size() != wanted) {
      throw settings.wrong("parameters", "as many as the query has '?': " + wanted);
    }
    return parameters;
  }

  private QueryParameter parameter(String at, JsonNode value) throws InvalidProviderSettings {
    if (value.isTextual()) {
      return new QueryParameter(settings.pointer(value.textValue(), at), QueryParameter.Kind.TEXT);
    }
    SettingsObject object = settings.nested(at, value);
    JsonPointer pointer = object.pointer("args");
    String kind = object.word("type", "text", List.of("text", "integer", "decimal", "boolean"));
    object.done();
    return new QueryParameter(pointer, QueryParameter.Kind.valueOf(kind.toUpperCase(Locale.ROOT)));
  }

  private Expectation expectation() throws InvalidProviderSettings {
    Map<String, Expected> columns = new LinkedHashMap<>();
    SettingsObject expect = settings.optionalObject("expect");
    if (expect != null) {
      for (String column : expect.keys()) {
        columns.put(column.toLowerCase(Locale.ROOT), expected(expect, column));
      }
    }
    Integer rows = rows();
    if (columns.isEmpty() && rows == null) {
      throw settings.wrong("expect", "a column and its value, or expect-rows");
    }
    return new Expectation(columns, rows);
  }

  private @Nullable Integer rows() throws InvalidProviderSettings {
    return settings.has("expect-rows") ? settings.integer("expect-rows", 1, 0, 1000) : null;
  }

  private static Expected expected(SettingsObject expect, String column)
      throws InvalidProviderSettings {
    JsonNode value = expect.value(column);
    if (value == null || value.isArray()) {
      throw expect.wrong(
          column, "a text, a number, true, false, null or { args = a JSON Pointer }");
    }
    if (!value.isObject()) {
      return new Expected.Value(value);
    }
    SettingsObject argument = expect.nested(column, value);
    Expected read = new Expected.Argument(argument.pointer("args"));
    argument.done();
    return read;
  }

  /** Evidence whose digest, uri or text is the call's own is refused as an echo. */
  private Set<String> show() throws InvalidProviderSettings {
    Set<String> labels = new LinkedHashSet<>();
    for (String text : settings.texts("show")) {
      String label = text.toLowerCase(Locale.ROOT);
      if (RESERVED.contains(label)) {
        throw settings.wrong("show", "columns of other names than digest, uri and text");
      }
      labels.add(label);
    }
    return labels;
  }
}
