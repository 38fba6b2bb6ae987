package dev.heldcall.config;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the configuration; each rule's reason says what to do instead. */
@AnalyzeClasses(
    packages = "dev.heldcall.config",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule CONFIGURATION_KNOWS_NOBODY_WHO_IS_CONFIGURED =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.heldcall.kernel..", "dev.heldcall.gateway..", "dev.heldcall.witness..")
          .because("settings are plain records: let the module that needs more build it from them");

  @ArchTest
  static final ArchRule CONFIGURATION_RUNS_NOTHING =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.pekko..", "scala..", "java.sql..", "javax.sql..", "org.slf4j..")
          .because("it is read before anything runs: start and log in the main class");

  @ArchTest
  static final ArchRule CONFIGURATION_READS_NO_ENVIRONMENT_BY_ITSELF =
      noClasses()
          .should()
          .callMethod(System.class, "getenv")
          .orShould()
          .callMethod(System.class, "getenv", String.class)
          .because("the environment is an argument of SettingsReader: pass it in");

  @ArchTest
  static final ArchRule PACKAGES_FORM_NO_CYCLES =
      slices()
          .matching("dev.heldcall.config.(*)..")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .because("a cycle makes two packages one: move what both need to a package below them");

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should()
          .haveNameMatching(".*(Impl|Utils?|Manager|Helper)")
          .because("such a name fits anything: say what it does or what it is");
}
