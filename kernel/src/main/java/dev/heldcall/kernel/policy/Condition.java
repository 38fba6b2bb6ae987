package dev.heldcall.kernel.policy;

import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The compiled {@code when} of a rule: a CEL expression over {@code tool}, {@code args}, {@code
 * principal}, {@code session} and {@code call}. Compiled once; safe to use from many threads.
 *
 * <p>Bounds: {@value #MAX_LENGTH} characters, {@value #MAX_ITERATIONS} iterations of all its
 * comprehensions together, regular expressions in linear time. Numbers compare by value, whether
 * integer or not. It reads nothing but its variables.
 */
final class Condition {

  static final int MAX_LENGTH = 4_096;
  static final int MAX_ITERATIONS = 10_000;
  private static final int MAX_RECURSION = 64;
  private static final int MAX_REGEX_PROGRAM = 2_000;
  private static final int MAX_REASON = 300;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .comprehensionMaxIterations(MAX_ITERATIONS)
          .maxExpressionCodePointSize(MAX_LENGTH)
          .maxParseRecursionDepth(MAX_RECURSION)
          .maxRegexProgramSize(MAX_REGEX_PROGRAM)
          .build();

  private static final CelType MAP = MapType.create(SimpleType.STRING, SimpleType.DYN);

  private static final CelCompiler COMPILER =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setOptions(OPTIONS)
          .setStandardMacros(dev.cel.parser.CelStandardMacro.STANDARD_MACROS)
          .addVar("tool", SimpleType.STRING)
          .addVar("args", SimpleType.DYN)
          .addVar("principal", MAP)
          .addVar("session", MAP)
          .addVar("call", MAP)
          .build();

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();

  private static final Pattern MISSING_KEY = Pattern.compile("key '([^']+)'");

  private final String text;
  private final CelRuntime.Program program;

  private Condition(String text, CelRuntime.Program program) {
    this.text = text;
    this.program = program;
  }

  /** What became of one evaluation. */
  sealed interface Outcome {}

  /** It is true. */
  record Holds() implements Outcome {}

  /** It is false. */
  record DoesNotHold() implements Outcome {}

  /** It has no value; the rule counts as DENY. */
  record Failed(String why) implements Outcome {}

  /**
   * Compiles an expression.
   *
   * @throws IllegalArgumentException with line and column of every error, if it does not compile or
   *     cannot be a truth value
   */
  static Condition compile(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "expected at most " + MAX_LENGTH + " characters, found " + text.length());
    }
    CelValidationResult result = checked(text);
    if (result.hasError()) {
      throw new IllegalArgumentException(
          result.getErrors().stream().map(Condition::spelt).collect(Collectors.joining("; ")));
    }
    try {
      var ast = result.getAst();
      CelType type = ast.getResultType();
      if (!type.equals(SimpleType.BOOL) && !type.equals(SimpleType.DYN)) {
        throw new IllegalArgumentException(
            "line 1, column 1: expected a condition of type bool, found " + type.name());
      }
      return new Condition(text, RUNTIME.createProgram(ast));
    } catch (CelValidationException | CelEvaluationException | StackOverflowError e) {
      throw new IllegalArgumentException("not a usable expression: " + e.getMessage(), e);
    }
  }

  private static CelValidationResult checked(String text) {
    try {
      return COMPILER.compile(text);
    } catch (RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException("not a usable expression: " + e, e);
    }
  }

  private static String spelt(CelIssue issue) {
    int line = Math.max(1, issue.getSourceLocation().getLine());
    int column = Math.max(0, issue.getSourceLocation().getColumn()) + 1;
    return "line " + line + ", column " + column + ": " + oneLine(issue.getMessage());
  }

  /** Evaluates it; whatever goes wrong is an outcome, so that it fails closed. */
  Outcome evaluate(Map<String, Object> variables) {
    try {
      return switch (program.eval(variables)) {
        case Boolean value -> value ? new Holds() : new DoesNotHold();
        case null -> new Failed("the value is null, not a bool");
        case Object other ->
            new Failed("the value is no bool: " + other.getClass().getSimpleName());
      };
    } catch (CelEvaluationException e) {
      return new Failed(words(e));
    } catch (RuntimeException e) {
      return new Failed(e.getClass().getSimpleName());
    } catch (StackOverflowError e) {
      return new Failed("the expression is too deep");
    }
  }

  /**
   * What went wrong, without what it went wrong with: the message may quote an argument that not
   * everybody who reads this may see. A key that the expression itself names is no secret.
   */
  private String words(CelEvaluationException e) {
    Matcher key = MISSING_KEY.matcher(String.valueOf(e.getMessage()));
    if (key.find() && text.contains(key.group(1))) {
      return "the key '" + key.group(1) + "' is not present";
    }
    return e.getErrorCode().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String oneLine(String message) {
    String line = message.replaceAll("\\s+", " ").trim();
    return line.length() > MAX_REASON ? line.substring(0, MAX_REASON) + "…" : line;
  }
}
