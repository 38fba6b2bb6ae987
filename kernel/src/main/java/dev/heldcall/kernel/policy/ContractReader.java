package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.witness.RuleJson;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.RuleText;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.WitnessRule;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the contract of a rule; only {@code rule} has no default. */
final class ContractReader {

  private static final Set<String> FIELDS =
      Set.of("rule", "veto", "expires", "expires_s", "independence", "on_refuted", "signed");
  private static final int MAX_CLASSES = 64;
  private static final long MAX_EXPIRES_SECONDS = 3_650L * 86_400;

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,10})(s|m|h|d)");

  private final Fields fields;

  ContractReader(Fields fields) {
    this.fields = fields;
  }

  /** The contract, or null after a problem that leaves none. */
  @Nullable Contract read(JsonNode json, String at) {
    if (!json.isObject()) {
      fields.problem(at, "expected an object with a rule");
      return null;
    }
    fields.onlyKnown(json, at, FIELDS);
    String rule = rule(json, at);
    SortedSet<String> veto = veto(json, at);
    SortedSet<Independence> independence = independence(json, at);
    OnRefuted onRefuted = onRefuted(json, at);
    long expires = expires(json, at);
    boolean signed = signed(json, at);
    return rule == null ? null : new Contract(rule, veto, independence, onRefuted, expires, signed);
  }

  private @Nullable String rule(JsonNode json, String at) {
    JsonNode value = json.path("rule");
    try {
      WitnessRule rule;
      if (value.isTextual()) {
        rule = RuleParser.parse(value.textValue());
      } else if (value.isObject()) {
        rule = RuleJson.parse(value);
      } else {
        fields.problem(at + "/rule", "expected a witness rule, such as \"human\"");
        return null;
      }
      return RuleText.of(rule);
    } catch (IllegalArgumentException e) {
      fields.problem(at + "/rule", "not a witness rule: " + e.getMessage());
      return null;
    }
  }

  private SortedSet<String> veto(JsonNode json, String at) {
    SortedSet<String> classes = new TreeSet<>();
    JsonNode value = json.path("veto");
    if (value.isMissingNode()) {
      return classes;
    }
    if (!value.isArray() || value.size() > MAX_CLASSES) {
      fields.problem(
          at + "/veto", "expected an array of at most " + MAX_CLASSES + " witness classes");
      return classes;
    }
    for (int i = 0; i < value.size(); i++) {
      String name = value.path(i).isTextual() ? value.path(i).textValue() : "";
      if (RuleParser.isClassName(name)) {
        classes.add(name);
      } else {
        fields.problem(at + "/veto/" + i, "expected a witness class, such as compliance");
      }
    }
    return classes;
  }

  private SortedSet<Independence> independence(JsonNode json, String at) {
    SortedSet<Independence> all = new TreeSet<>();
    JsonNode value = json.path("independence");
    if (value.isMissingNode()) {
      return all;
    }
    if (!value.isArray()) {
      fields.problem(at + "/independence", "expected an array");
      return all;
    }
    for (int i = 0; i < value.size(); i++) {
      try {
        all.add(Independence.of(value.path(i).asText("")));
      } catch (IllegalArgumentException e) {
        fields.problem(at + "/independence/" + i, String.valueOf(e.getMessage()));
      }
    }
    return all;
  }

  private OnRefuted onRefuted(JsonNode json, String at) {
    JsonNode value = json.path("on_refuted");
    if (value.isMissingNode()) {
      return OnRefuted.DENY;
    }
    try {
      return OnRefuted.of(value.asText(""));
    } catch (IllegalArgumentException e) {
      fields.problem(at + "/on_refuted", String.valueOf(e.getMessage()));
      return OnRefuted.DENY;
    }
  }

  /** {@code expires} as the configuration spells it, {@code "10m"}, or {@code expires_s}. */
  private long expires(JsonNode json, String at) {
    JsonNode text = json.path("expires");
    JsonNode seconds = json.path("expires_s");
    if (text.isMissingNode()) {
      return seconds.isMissingNode() ? 86_400 : seconds(seconds, at);
    }
    Matcher spelt = DURATION.matcher(text.asText(""));
    if (!text.isTextual() || !spelt.matches() || !seconds.isMissingNode()) {
      fields.problem(
          at + "/expires", "expected a time such as \"10m\", in s, m, h or d, and no expires_s");
      return 1;
    }
    long unit =
        switch (spelt.group(2)) {
          case "m" -> 60;
          case "h" -> 3_600;
          case "d" -> 86_400;
          default -> 1;
        };
    long asked = Long.parseLong(spelt.group(1)) * unit;
    if (asked < 1 || asked > MAX_EXPIRES_SECONDS) {
      fields.problem(at + "/expires", "expected a time from 1s to 3650d");
      return 1;
    }
    return asked;
  }

  private long seconds(JsonNode value, String at) {
    boolean whole = value.isNumber() && value.doubleValue() == Math.rint(value.doubleValue());
    if (!whole || value.doubleValue() < 1 || value.doubleValue() > MAX_EXPIRES_SECONDS) {
      fields.problem(at + "/expires_s", "expected whole seconds from 1 to " + MAX_EXPIRES_SECONDS);
      return 1;
    }
    return value.longValue();
  }

  private boolean signed(JsonNode json, String at) {
    JsonNode value = json.path("signed");
    if (!value.isMissingNode() && !value.isBoolean()) {
      fields.problem(at + "/signed", "expected true or false");
    }
    return value.asBoolean(false);
  }
}
