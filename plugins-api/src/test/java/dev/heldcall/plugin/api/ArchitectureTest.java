package dev.heldcall.plugin.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the vocabulary; each rule's reason says what to do instead. */
@AnalyzeClasses(
    packages = "dev.heldcall.plugin",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule THE_VOCABULARY_NEEDS_LITTLE =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java.lang..",
              "java.util..",
              "java.time..",
              "java.math..",
              "java.net",
              "java.nio.charset..",
              "com.fasterxml.jackson.annotation..",
              "com.fasterxml.jackson.databind",
              "com.fasterxml.jackson.databind.node..",
              "org.jspecify..",
              "dev.heldcall.plugin..")
          .because("every plugin carries this module: what needs more belongs in the kernel");

  @ArchTest
  static final ArchRule THE_VOCABULARY_DOES_NOTHING =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              java.time.Clock.class,
              java.util.Random.class,
              java.util.UUID.class,
              Thread.class,
              com.fasterxml.jackson.databind.ObjectMapper.class)
          .because("values have no clock, chance, threads or codec: take them as arguments");

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should()
          .haveNameMatching(".*(Impl|Utils?|Manager|Helper)")
          .because("such a name fits anything: say what it does or what it is");
}
