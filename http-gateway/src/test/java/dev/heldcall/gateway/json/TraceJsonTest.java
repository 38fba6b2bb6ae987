package dev.heldcall.gateway.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.call.ToolTraits;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceJsonTest {

  private static final Digest ZERO = new Digest("sha256:" + "0".repeat(64));

  private static List<String> verdicts(VerdictKind verdict, String... layers) {
    Ruling ruling =
        new Ruling(
            1,
            verdict,
            null,
            null,
            Arrays.stream(layers).map(each -> new Ruling.Reason(each, "r", "because")).toList(),
            ZERO,
            1,
            null,
            new ToolTraits(ExecutorKind.CLIENT, false, false),
            Instant.EPOCH);
    return TraceJson.of(ruling).findValuesAsText("verdict");
  }

  @Test
  void each_rule_is_there_with_what_it_said() {
    assertThat(verdicts(VerdictKind.ALLOW, "floor", "organization"))
        .containsExactly("ALLOW", "ALLOW");
    assertThat(verdicts(VerdictKind.DENY, "capability-floor")).containsExactly("DENY");
    assertThat(verdicts(VerdictKind.INDETERMINATE, "kernel")).containsExactly("INDETERMINATE");
    assertThat(verdicts(VerdictKind.INDETERMINATE)).isEmpty();
  }

  @Test
  void where_the_kernel_denies_too_large_a_contract_the_rules_asked_for_witnesses() {
    assertThat(verdicts(VerdictKind.DENY, "kernel", "floor", "call"))
        .containsExactly("DENY", "REQUIRE_WITNESS", "REQUIRE_WITNESS");
  }

  @Test
  void before_a_ruling_there_is_nothing() {
    JsonNode none = TraceJson.of(null);
    assertThat(none.isArray()).isTrue();
    assertThat(none).isEmpty();
  }
}
