package dev.heldcall.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script's own answers; none of these starts a build or a node. */
class ScriptTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"up", "demo", "node", "test", "bench", "build", "bank"})
  void everyCommandAnswersHelp(String command) throws Exception {
    Run run = run(script(), command, "--help");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).startsWith("usage: ./heldcall " + command);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void helpListsTheCommands() throws Exception {
    Run run = run(script(), "--help");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("up ", "demo ", "node ", "test ", "bench ", "build ");
  }

  @Test
  void anUnknownCommandIsWrongUseAndShowsWhatThereIs() throws Exception {
    Run run = run(script(), "frobnicate");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("no command 'frobnicate'", "up ", "demo ");
  }

  @Test
  void noCommandIsWrongUse() throws Exception {
    assertThat(run(script()).exit()).isEqualTo(2);
  }

  @Test
  void buildTakesNoArguments() throws Exception {
    Run run = run(script(), "build", "everything");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("takes no arguments");
  }

  @Test
  void anUnpackedDistributionNeitherBuildsNorTests() throws Exception {
    Path copy = Files.copy(script(), directory.resolve("heldcall"));
    Run run = run(copy, "test");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("source tree");
  }

  @Test
  void anUnpackedDistributionHasNoCrashPoints() throws Exception {
    Path copy = Files.copy(script(), directory.resolve("heldcall"));
    Run run = run(copy, "bench", "crash");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("source tree");
  }

  @Test
  void anUnknownBenchmarkIsWrongUse() throws Exception {
    Run run = run(script(), "bench", "patience");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("no benchmark 'patience'");
  }

  @Test
  void anUnpackedDistributionDoesNotSimulate() throws Exception {
    Path copy = Files.copy(script(), directory.resolve("heldcall"));
    Run run = run(copy, "bench", "simulate", "--seeds", "1");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("'bench simulate' needs the source tree");
  }

  @Test
  void benchHelpTellsHowASeedIsReplayed() throws Exception {
    Run run = run(script(), "bench", "simulate", "--help");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("--seeds N", "--seed S", "--trace");
  }

  private record Run(int exit, String out, String err) {}

  private Run run(Path script, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", script.toString()));
    command.addAll(List.of(arguments));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    int exit = process.waitFor();
    return new Run(
        exit,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  private static Path script() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("heldcall"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new AssertionError("no folder above has the script");
    }
    return folder.resolve("heldcall");
  }
}
