package dev.heldcall.kernel.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.kernel.explore.MutantLoader.LostPlaceError;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The explorer is worth what it finds: a bug planted in each guard, and each is found. */
class MutationTest {

  /** As many as were asked for at least, whatever becomes of the table. */
  private static final int AT_LEAST = 25;

  @Test
  void eachPlantedBugIsFoundAndNamed() throws InterruptedException, ExecutionException {
    List<Mutation> all = Mutation.all();
    assertThat(all).hasSizeGreaterThan(AT_LEAST);
    assertThat(all.stream().map(Mutation::what).collect(Collectors.toSet())).hasSameSizeAs(all);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<String>> running =
          all.stream().map(each -> threads.submit(() -> found(each))).toList();
      SoftAssertions each = new SoftAssertions();
      for (int i = 0; i < all.size(); i++) {
        each.assertThat(running.get(i).get())
            .as("what the explorer says of '%s' in %s", all.get(i).what(), all.get(i).where())
            .contains(all.get(i).found());
      }
      each.assertAll();
    }
  }

  @Test
  void thePageListsThem() throws IOException {
    String bugs = ExplorationPage.bugs(Mutation.all());
    ExplorationPage.offer("bugs", bugs);
    assertThat(ExplorationPage.section("bugs"))
        .as("docs/exploration.md; -Dheldcall.explore.write=true writes it anew")
        .isEqualTo(bugs);
  }

  @Test
  void aBugWhosePlaceIsGoneSaysSo() {
    Edit edit = Edit.parse("believes nothingOfThisName = true");
    Mutation lost = new Mutation("", "a lost bug", "call.LeaseDecider.ready", edit, "veto", "");
    assertThatThrownBy(() -> found(lost))
        .isInstanceOf(LostPlaceError.class)
        .hasMessageContaining("the bug 'a lost bug' has lost its place in")
        .hasMessageContaining("LeaseDecider.ready");
  }

  @Test
  void nothingIsFoundWhereNothingIsPlanted() throws ReflectiveOperationException {
    Edit edit = Edit.parse("believes now = null");
    Mutation elsewhere = new Mutation("", "elsewhere", "call.Nowhere.none", edit, "veto", "");
    assertThat(explored(new MutantLoader(elsewhere), "quarantine"))
        .as("the core as it is, loaded anew")
        .isEmpty();
  }

  private static String found(Mutation mutation) throws ReflectiveOperationException {
    MutantLoader loader = new MutantLoader(mutation);
    loader.plant();
    String fault = explored(loader, mutation.scenario());
    return fault.isEmpty() ? "nothing at all in '" + mutation.scenario() + "'" : fault;
  }

  private static String explored(MutantLoader loader, String scenario)
      throws ReflectiveOperationException {
    Object exploration =
        loader.loadClass(MutantExploration.class.getName()).getDeclaredConstructor().newInstance();
    @SuppressWarnings("unchecked")
    UnaryOperator<String> explore = (UnaryOperator<String>) exploration;
    return explore.apply(scenario);
  }
}
