package dev.heldcall.kernel.witness;

import static dev.heldcall.kernel.witness.Rules.who;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PartiesTest {

  @Test
  void whoWasNotJoinedStandsForItself() {
    Parties parties = new Parties();
    parties.join(who("bot"), who("alice"));
    assertThat(parties.of(who("bob"))).isEqualTo(who("bob"));
  }

  @Test
  void aPrincipalItsDelegatesAndTheirDelegatesAreOne() {
    Parties parties = new Parties();
    parties.join(who("script"), who("bot"));
    parties.join(who("bot"), who("alice"));
    parties.join(who("helper"), who("alice"));
    for (String each : List.of("script", "bot", "helper", "alice")) {
      assertThat(parties.of(who(each))).isEqualTo(who("alice"));
    }
  }

  @Property(tries = 300)
  void theOrderOfJoiningMeansNothing(
      @ForAll @Size(max = 8) List<@IntRange(max = 35) Integer> pairs, @ForAll Random random) {
    List<Integer> shuffled = new ArrayList<>(pairs);
    Collections.shuffle(shuffled, random);
    Parties one = joined(pairs);
    Parties other = joined(shuffled);
    for (int i = 0; i < 6; i++) {
      assertThat(one.of(who("p" + i))).isEqualTo(other.of(who("p" + i)));
    }
  }

  private static Parties joined(List<Integer> pairs) {
    Parties parties = new Parties();
    pairs.forEach(pair -> parties.join(who("p" + pair / 6), who("p" + pair % 6)));
    return parties;
  }
}
