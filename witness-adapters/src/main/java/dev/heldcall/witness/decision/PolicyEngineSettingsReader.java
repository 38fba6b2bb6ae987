package dev.heldcall.witness.decision;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.witness.evidence.SettingsObject;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the settings of a {@code policy-engine} provider. */
final class PolicyEngineSettingsReader {

  /** A package's path and a rule's name; what else OPA can have would need escapes. */
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*");

  private final SettingsObject settings;

  PolicyEngineSettingsReader(JsonNode settings) throws InvalidProviderSettings {
    this.settings = SettingsObject.of(settings);
  }

  PolicyEngineSettings read() throws InvalidProviderSettings {
    boolean isOpa = settings.word("protocol", "opa", List.of("opa", "json")).equals("opa");
    URI url = settings.url("url");
    DecisionProtocol protocol = isOpa ? opa(url) : json(url);
    String policy = isOpa ? settings.text("path") : name(url);
    PolicyEngineSettings read =
        new PolicyEngineSettings(
            protocol,
            policy,
            settings.secret("token"),
            settings.integer("max-at-once", 16, 1, 256),
            settings.needs());
    settings.done();
    return read;
  }

  private String name(URI url) throws InvalidProviderSettings {
    String name = settings.optionalText("name");
    return name == null ? url.getHost() : name;
  }

  private OpaProtocol opa(URI server) throws InvalidProviderSettings {
    String path = settings.text("path");
    if (!PATH.matcher(path).matches()) {
      throw settings.wrong("path", "a path of packages and a rule such as payments/allow");
    }
    String base = server.toString();
    String data = base + (base.endsWith("/") ? "" : "/") + "v1/data/" + path;
    return new OpaProtocol(
        URI.create(data + "?provenance=true&strict-builtin-errors=true"),
        settings.optionalPointer("echo"));
  }

  private JsonProtocol json(URI url) throws InvalidProviderSettings {
    Set<JsonNode> approve = values("approve", JsonNodeFactory.instance.booleanNode(true));
    Set<JsonNode> deny = values("deny", JsonNodeFactory.instance.booleanNode(false));
    Set<JsonNode> defer = values("defer", null);
    if (!Collections.disjoint(approve, deny)
        || !Collections.disjoint(approve, defer)
        || !Collections.disjoint(deny, defer)) {
      throw settings.wrong("approve", "values that neither deny nor defer has");
    }
    JsonPointer result = settings.pointer("result");
    return new JsonProtocol(
        url,
        result,
        approve,
        deny,
        defer,
        settings.optionalPointer("reason"),
        settings.optionalPointer("decision-id"),
        settings.optionalPointer("echo"));
  }

  private Set<JsonNode> values(String key, @Nullable JsonNode otherwise)
      throws InvalidProviderSettings {
    Set<JsonNode> values = new LinkedHashSet<>(settings.list(key));
    for (JsonNode value : values) {
      if (!value.isTextual() && !value.isBoolean()) {
        throw settings.wrong(key, "a list of texts, true or false");
      }
    }
    if (values.isEmpty() && otherwise != null) {
      values.add(otherwise);
    }
    return values;
  }
}
