package dev.heldcall.gateway.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What is told is readable wherever it is printed, and nothing false is told. */
class DemoTerminalTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Test
  void stepsAreNumberedAndClaimsTicked() {
    DemoTerminal terminal = terminal(StandardCharsets.UTF_8, false);
    terminal.step("First");
    terminal.sent("alice", "POST /x");
    terminal.received(202, "held");
    terminal.check("it held", 1, 1);
    terminal.step("Second");
    assertThat(text(StandardCharsets.UTF_8))
        .containsSubsequence(
            " 1. First", "→ alice: POST /x", "← 202 held", "✓ it held", " 2. Second")
        .doesNotContain("\u001b");
  }

  @Test
  void asciiWhereNothingBetterCanBePrinted() {
    DemoTerminal terminal = terminal(StandardCharsets.US_ASCII, false);
    terminal.sent("alice", "POST /x");
    terminal.check("it held", 1, 1);
    assertThat(text(StandardCharsets.US_ASCII)).contains("-> alice", "ok it held");
  }

  @Test
  void colourOnlyWhereWanted() {
    terminal(StandardCharsets.UTF_8, true).check("it held", 1, 1);
    assertThat(text(StandardCharsets.UTF_8)).contains("\u001b[32m✓ it held\u001b[0m");
  }

  @Test
  void whatDoesNotHoldIsNotTold() {
    DemoTerminal terminal = terminal(StandardCharsets.UTF_8, false);
    assertThatThrownBy(() -> terminal.check("1 effect", 1, 2))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContainingAll("1 effect", "expected: 1", "found:    2");
    assertThat(text(StandardCharsets.UTF_8)).isEmpty();
  }

  private DemoTerminal terminal(Charset charset, boolean colour) {
    return new DemoTerminal(new PrintStream(bytes, true, charset), colour);
  }

  private String text(Charset charset) {
    return bytes.toString(charset);
  }
}
