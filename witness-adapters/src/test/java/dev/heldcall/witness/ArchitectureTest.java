package dev.heldcall.witness;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the witness providers; each rule's reason says what to do instead. */
@AnalyzeClasses(
    packages = "dev.heldcall.witness",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule PROVIDERS_KNOW_NO_KERNEL =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.heldcall.kernel..",
              "dev.heldcall.gateway..",
              "dev.heldcall.config..",
              "org.apache.pekko..",
              "scala..",
              "com.typesafe..")
          .because("a provider is a plugin like anyone's: it sees the vocabulary and nothing else");

  @ArchTest
  static final ArchRule KINDS_DO_NOT_KNOW_EACH_OTHER =
      slices()
          .matching("dev.heldcall.witness.(*)..")
          .should()
          .beFreeOfCycles()
          .because("what two kinds share lives in a package of its own");

  @ArchTest
  static final ArchRule DATABASES_ARE_READ_IN_ONE_PLACE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.heldcall.witness.database..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "com.zaxxer..")
          .because("what reads a database must go through ReadOnlyQuery");

  @ArchTest
  static final ArchRule REPOSITORIES_ARE_READ_IN_ONE_PLACE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.heldcall.witness.git..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.eclipse.jgit..", "org.apache.sshd..")
          .because("what reads a repository must go through GitRepositories");

  @ArchTest
  static final ArchRule NOBODY_STARTS_PROGRAMS_OR_THREADS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Thread.class, ProcessBuilder.class, Runtime.class)
          .because("work that blocks goes to ProviderServices.blocking, and programs are not run");

  @ArchTest
  static final ArchRule TIME_IS_THE_NODES =
      noClasses()
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .because("the clock is ProviderServices.clock");

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should()
          .haveNameMatching(".*(Impl|Utils?|Manager|Helper)")
          .because("such a name fits anything: say what it does or what it is");
}
