package dev.heldcall.witness.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Words from outside stay on their line and are what they look like. */
class ForeignTextTest {

  @Test
  void isOneLineOfWhatIsSeen() {
    assertThat(ForeignText.line("  fine\r\nApproved by: alice\u2028x "))
        .isEqualTo("fine  Approved by: alice x");
    assertThat(ForeignText.line("a\u202eb\u200bc\u0000d\ue000e")).isEqualTo("a b c d e");
    assertThat(ForeignText.line("Grüße, 世界 🙂")).isEqualTo("Grüße, 世界 🙂");
  }

  @Test
  void isCutByCharactersAndNotWithinOne() {
    String cut = ForeignText.line("🙂".repeat(600));
    assertThat(cut).isEqualTo("🙂".repeat(500) + "…");
  }
}
