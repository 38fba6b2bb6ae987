package dev.heldcall.kernel.witness;

import dev.heldcall.kernel.witness.RuleTokens.Kind;
import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the text of a witness rule (the design, witness rule):
 *
 * <pre>
 * rule    = both *( "|" both )
 * both    = part *( "&amp;" part )
 * part    = class / "(" rule ")"
 *         / "quorum" "(" count "," class [ "," "deny" count ] ")"
 *         / "fallback" "(" rule "," duration "," rule ")"
 *         / ( "all" / "any" ) "(" rule *( "," rule ) ")"
 * </pre>
 *
 * {@code quorum}, {@code fallback}, {@code all}, {@code any} and {@code deny} are words of the
 * grammar only before a parenthesis (and {@code deny} as the third argument of a quorum); elsewhere
 * they are class names like others. Bounds: {@value #MAX_LENGTH} characters, as written and in
 * canonical form; {@value #MAX_NESTING} parentheses deep; counts up to {@value #MAX_COUNT}.
 */
public final class RuleParser {

  /** The most characters of a rule. */
  public static final int MAX_LENGTH = 4_096;

  /** How deep parentheses may nest. */
  public static final int MAX_NESTING = 32;

  /** The largest count of a quorum. */
  public static final int MAX_COUNT = 1_000;

  private static final Pattern CLASS = Pattern.compile("[a-z][a-z0-9-]*");
  private static final String PART = "a witness class, '(', quorum(, fallback(, all( or any(";

  private final RuleTokens tokens;

  private RuleParser(String text) {
    tokens = new RuleTokens(text);
  }

  /**
   * Parses and normalizes a rule.
   *
   * @throws RuleSyntaxException if the text is no rule or exceeds a bound
   */
  public static WitnessRule parse(String text) {
    requireLength(text, "");
    RuleParser parser = new RuleParser(text);
    WitnessRule rule = parser.rule(0);
    if (parser.tokens.kind() != Kind.END) {
      throw parser.tokens.unexpected("'&', '|' or the end of the rule");
    }
    WitnessRule normal = normalize(rule);
    requireLength(RuleText.of(normal), " in canonical form");
    return normal;
  }

  /**
   * The same rule with nested {@code &} and {@code |} flattened and single parts unwrapped; order
   * and repetitions stay, since they count under distinct identities.
   *
   * @throws IllegalArgumentException if an {@code &} or {@code |} has no parts
   */
  public static WitnessRule normalize(WitnessRule rule) {
    return switch (rule) {
      case OfClass leaf -> leaf;
      case Quorum quorum -> quorum;
      case Fallback(var first, var after, var then) ->
          new Fallback(normalize(first), after, normalize(then));
      case AllOf(var parts) -> {
        List<WitnessRule> flat = new ArrayList<>();
        for (WitnessRule part : parts) {
          WitnessRule normal = normalize(part);
          flat.addAll(normal instanceof AllOf(var inner) ? inner : List.of(normal));
        }
        yield requireParts(flat).size() == 1 ? flat.getFirst() : new AllOf(flat);
      }
      case AnyOf(var parts) -> {
        List<WitnessRule> flat = new ArrayList<>();
        for (WitnessRule part : parts) {
          WitnessRule normal = normalize(part);
          flat.addAll(normal instanceof AnyOf(var inner) ? inner : List.of(normal));
        }
        yield requireParts(flat).size() == 1 ? flat.getFirst() : new AnyOf(flat);
      }
    };
  }

  /** Whether the text is spelt as a witness class is: {@code [a-z][a-z0-9-]*}. */
  public static boolean isClassName(String text) {
    return text.length() <= MAX_LENGTH && CLASS.matcher(text).matches();
  }

  private static List<WitnessRule> requireParts(List<WitnessRule> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("'&' and '|' need a part");
    }
    return parts;
  }

  private static void requireLength(String text, String form) {
    if (text.length() > MAX_LENGTH) {
      throw new RuleSyntaxException(
          MAX_LENGTH,
          "at most " + MAX_LENGTH + " characters" + form,
          text.length() + " characters");
    }
  }

  private WitnessRule rule(int depth) {
    List<WitnessRule> parts = new ArrayList<>();
    do {
      parts.add(both(depth));
    } while (tokens.take('|'));
    return parts.size() == 1 ? parts.getFirst() : new AnyOf(parts);
  }

  private WitnessRule both(int depth) {
    List<WitnessRule> parts = new ArrayList<>();
    do {
      parts.add(part(depth));
    } while (tokens.take('&'));
    return parts.size() == 1 ? parts.getFirst() : new AllOf(parts);
  }

  private WitnessRule part(int depth) {
    if (tokens.is('(')) {
      open(depth);
      WitnessRule inner = rule(depth + 1);
      tokens.require(')', "'&', '|' or ')'");
      return inner;
    }
    if (tokens.opens("quorum")) {
      return quorum(depth);
    }
    if (tokens.opens("fallback")) {
      return fallback(depth);
    }
    if (tokens.opens("all")) {
      return new AllOf(list(depth));
    }
    if (tokens.opens("any")) {
      return new AnyOf(list(depth));
    }
    if (tokens.opens("deny")) {
      throw tokens.unexpected(PART);
    }
    return new OfClass(className(PART));
  }

  private Quorum quorum(int depth) {
    tokens.advance();
    open(depth);
    int approvals = count();
    comma();
    String witnessClass = className("a witness class");
    int denials = 1;
    if (tokens.take(',')) {
      if (tokens.kind() != Kind.NAME || !tokens.token().equals("deny")) {
        throw tokens.unexpected("deny and a count");
      }
      tokens.advance();
      denials = count();
      tokens.require(')', "')'");
    } else {
      tokens.require(')', "',' or ')'");
    }
    return new Quorum(approvals, witnessClass, denials);
  }

  private Fallback fallback(int depth) {
    tokens.advance();
    open(depth);
    WitnessRule first = rule(depth + 1);
    comma();
    Duration after = duration();
    comma();
    WitnessRule then = rule(depth + 1);
    tokens.require(')', "'&', '|' or ')'");
    return new Fallback(first, after, then);
  }

  private List<WitnessRule> list(int depth) {
    tokens.advance();
    open(depth);
    List<WitnessRule> parts = new ArrayList<>();
    do {
      parts.add(rule(depth + 1));
    } while (tokens.take(','));
    tokens.require(')', "'&', '|', ',' or ')'");
    return parts;
  }

  private void open(int depth) {
    if (depth >= MAX_NESTING) {
      throw tokens.unexpected("at most " + MAX_NESTING + " nested parentheses");
    }
    tokens.require('(', "'('");
  }

  private void comma() {
    tokens.require(',', "','");
  }

  private String className(String expected) {
    if (tokens.kind() != Kind.NAME) {
      throw tokens.unexpected(expected);
    }
    String name = tokens.token();
    tokens.advance();
    return name;
  }

  private int count() {
    String token = tokens.token();
    boolean digits =
        tokens.kind() == Kind.NUMBER
            && token.length() <= 4
            && token.chars().allMatch(c -> c >= '0' && c <= '9');
    int value = digits ? Integer.parseInt(token) : 0;
    if (value < 1 || value > MAX_COUNT) {
      throw tokens.unexpected("a count from 1 to " + MAX_COUNT);
    }
    tokens.advance();
    return value;
  }

  private Duration duration() {
    Optional<Duration> value =
        tokens.kind() == Kind.NUMBER ? RuleDuration.parse(tokens.token()) : Optional.empty();
    if (value.isEmpty()) {
      throw tokens.unexpected(RuleDuration.EXPECTED);
    }
    tokens.advance();
    return value.get();
  }
}
