package dev.heldcall.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the gateway. */
@AnalyzeClasses(
    packages = "dev.heldcall.gateway",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

  @ArchTest
  static final ArchRule KERNEL_THROUGH_ITS_FACADE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.heldcall.kernel.entity..",
              "dev.heldcall.kernel.codec..",
              "dev.heldcall.kernel.work..",
              "dev.heldcall.kernel.execute..",
              "dev.heldcall.kernel.readside..",
              "dev.heldcall.kernel.session..",
              "dev.heldcall.kernel.policybook..",
              "dev.heldcall.kernel.deliver..",
              "dev.heldcall.kernel.route..")
          .because("the gateway sees the kernel only through its api and value types: add to api");

  @ArchTest
  static final ArchRule NO_DATABASE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.heldcall.gateway.server..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.sql..")
          .because(
              "only the server names a database failure, to answer 503; data comes from the api");

  @ArchTest
  static final ArchRule NO_VAGUE_NAMES =
      noClasses()
          .should()
          .haveNameMatching(".*(Impl|Util|Utils|Manager|Helper)")
          .because("a name says what the thing is: find the field's word for it");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices()
          .matching("dev.heldcall.gateway.(*)..")
          .should()
          .beFreeOfCycles()
          .because("boot wires, server serves, route answers: move what both need below them");
}
