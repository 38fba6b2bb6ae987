package dev.heldcall.gateway.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine command =
      Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @ParameterizedTest
  @ValueSource(strings = {"", "nope", "up --port x", "up --nope", "node", "up extra"})
  void wrong_use_ends_with_2_and_says_why_on_standard_error(String line) {
    String[] arguments = line.isEmpty() ? new String[0] : line.split(" ", -1);

    assertThat(command.execute(arguments)).isEqualTo(2);
    assertThat(err.toString()).isNotBlank();
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "up --help", "node --help", "--version"})
  void help_ends_with_0_on_standard_output(String line) {
    assertThat(command.execute(line.split(" ", -1))).isZero();
    assertThat(out.toString()).containsIgnoringCase("heldcall");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void a_configuration_that_cannot_be_used_ends_with_1(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("a.conf"), "heldcall { htpp { port = 1 } }");

    assertThat(command.execute("up", "--config", file.toString())).isEqualTo(1);
    assertThat(command.execute("up", "--config", folder.resolve("none").toString())).isEqualTo(1);
  }

  @Test
  void a_port_that_is_taken_ends_with_1_before_anything_is_opened(@TempDir Path folder)
      throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path data = folder.resolve("data");

      int code =
          command.execute(
              "up", "--port", String.valueOf(taken.getLocalPort()), "--data", data.toString());

      assertThat(code).isEqualTo(1);
      assertThat(data).doesNotExist();
    }
  }
}
