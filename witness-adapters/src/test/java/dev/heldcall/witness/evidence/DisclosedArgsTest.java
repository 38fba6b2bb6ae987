package dev.heldcall.witness.evidence;

import static dev.heldcall.witness.FactRequests.asking;
import static dev.heldcall.witness.FactRequests.digestOnly;
import static dev.heldcall.witness.FactRequests.hiding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import dev.heldcall.plugin.api.WitnessRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is hidden is neither there nor missing. */
class DisclosedArgsTest {

  private static final String ARGS = "{'a':{'b':1,'bc':2},'a~b':3,'c':[4,5]}";

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a/b", // itself
    "/a, /a/b", // part of what is hidden
    "'', /a/b", // part of all
    "/a/b, /a", // has a hidden part
    "/a/b, ''",
    "/c/0, /c",
    "/a~0b, /a~0b"
  })
  void isNotReadUnderneathOrAround(String hidden, String pointer) {
    WitnessRequest request = hiding(ARGS, hidden == null ? "" : hidden);
    assertThatThrownBy(
            () -> DisclosedArgs.of(request).at(JsonPointer.compile(pointer == null ? "" : pointer)))
        .isInstanceOf(Undecidable.class)
        .hasMessageStartingWith("the arguments are not disclosed to it: ");
  }

  @ParameterizedTest
  @CsvSource({"/a/b, /a/bc, 2", "/a, /a~0b, 3", "/c/0, /c/1, 5", "/ab, /a/b, 1"})
  void doesNotHideItsNeighbours(String hidden, String pointer, int value) throws Exception {
    assertThat(DisclosedArgs.of(hiding(ARGS, hidden)).at(JsonPointer.compile(pointer)).intValue())
        .isEqualTo(value);
  }

  @Test
  void isAllOfThemIfOnlyTheDigestIsShown() {
    assertThatThrownBy(() -> DisclosedArgs.of(digestOnly()).at(JsonPointer.compile("/a")))
        .hasMessage("the arguments are not disclosed to it: /a");
  }

  @Test
  void isToldFromWhatIsNotThere() {
    assertThatThrownBy(() -> DisclosedArgs.of(asking(ARGS)).at(JsonPointer.compile("/x")))
        .hasMessage("the arguments have nothing at /x");
    assertThatThrownBy(
            () -> DisclosedArgs.of(asking("{'t':'long'}")).text(JsonPointer.compile("/t"), 3))
        .hasMessage("the argument /t is longer than 3 characters");
  }
}
