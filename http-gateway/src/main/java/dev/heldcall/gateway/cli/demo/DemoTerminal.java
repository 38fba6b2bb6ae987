package dev.heldcall.gateway.cli.demo;

import java.io.Console;
import java.io.PrintStream;
import java.nio.charset.CharsetEncoder;
import java.util.Map;

/**
 * Where the story is told: coloured on a terminal unless {@code NO_COLOR} is set, in plain text
 * elsewhere, and in ASCII where the output's character set has nothing better.
 */
public final class DemoTerminal {

  private static final String BOLD = "1";
  private static final String DIM = "2";
  private static final String RED = "31";
  private static final String GREEN = "32";
  private static final String CYAN = "36";

  private final PrintStream out;
  private final boolean colour;
  private final String sends;
  private final String receives;
  private final String holds;
  private int steps;

  /**
   * A terminal.
   *
   * @param out where to write
   * @param colour whether to use escape sequences
   */
  public DemoTerminal(PrintStream out, boolean colour) {
    this.out = out;
    this.colour = colour;
    CharsetEncoder encoder = out.charset().newEncoder();
    boolean rich = encoder.canEncode("→←✓");
    this.sends = rich ? "→" : "->";
    this.receives = rich ? "←" : "<-";
    this.holds = rich ? "✓" : "ok";
  }

  /** Standard output, coloured if it is a terminal that wants it. */
  public static DemoTerminal standard(Map<String, String> env) {
    boolean wanted = env.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(env.get("TERM"));
    return new DemoTerminal(System.out, wanted && isTerminal());
  }

  @SuppressWarnings("SystemConsoleNull") // null still, with -Djdk.console=java.base
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  void title(String text) {
    out.println(paint(BOLD, text));
  }

  void step(String text) {
    steps++;
    out.println();
    out.println(paint(BOLD, "%2d. %s".formatted(steps, text)));
  }

  void note(String text) {
    out.println("    " + paint(DIM, text));
  }

  void sent(String who, String what) {
    out.println("    " + paint(CYAN, sends + " " + who + ": ") + what);
  }

  void received(int status, String what) {
    out.println("    " + paint(CYAN, receives + " " + status) + " " + what);
  }

  /**
   * Says that a claim holds.
   *
   * @throws DemoFailure if it does not
   */
  void check(String claim, Object expected, Object found) {
    check(claim, expected.equals(found), expected.toString(), found.toString());
  }

  /**
   * Says that a claim holds.
   *
   * @throws DemoFailure if it does not
   */
  void check(String claim, boolean held, String expected, String found) {
    if (!held) {
      throw new DemoFailure(claim, expected, found);
    }
    out.println("    " + paint(GREEN, holds + " " + claim));
  }

  void failed(DemoFailure failure) {
    out.println();
    out.println(paint(RED, "This did not hold: ") + failure.getMessage());
  }

  private String paint(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
