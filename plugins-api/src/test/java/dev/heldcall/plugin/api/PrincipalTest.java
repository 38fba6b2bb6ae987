package dev.heldcall.plugin.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PrincipalTest {

  private static Principal with(Set<Role> roles) {
    return new Principal("i", "o", "p", roles, new TreeSet<>(), new TreeSet<>(), null, null);
  }

  @Test
  void aCallsHistoryShowedTheProposersRolesInAnotherOrderAfterARestart() {
    List<Role> backwards = Arrays.asList(Role.values());
    Collections.reverse(backwards);
    assertThat(with(new LinkedHashSet<>(backwards)).roles()).containsExactly(Role.values());
    assertThat(with(Set.of(Role.values())).roles()).containsExactly(Role.values());
    assertThat(with(Set.of()).roles()).isEmpty();
  }
}
