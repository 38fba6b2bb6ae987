package dev.heldcall.gateway.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The whole product, as a newcomer meets it: a real node, killed twice, and one effect. */
class DemoRunTest {

  @Test
  void everyClaimOfTheStoryHolds() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    boolean held = DemoRun.run(new DemoTerminal(out, false));

    String story = bytes.toString(StandardCharsets.UTF_8);
    assertThat(held).as(story).isTrue();
    assertThat(story).contains("✓ 1 effect");
  }
}
