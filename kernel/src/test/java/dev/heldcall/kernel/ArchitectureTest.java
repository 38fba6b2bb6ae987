package dev.heldcall.kernel;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;

/** The walls of the kernel; each rule's reason says what to do instead. */
@AnalyzeClasses(
    packages = "dev.heldcall.kernel",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] PURE = {
    "dev.heldcall.kernel.digest..",
    "dev.heldcall.kernel.witness..",
    "dev.heldcall.kernel.policy..",
    "dev.heldcall.kernel.lease..",
    "dev.heldcall.kernel.call..",
    "dev.heldcall.kernel.work.."
  };

  private static final String[] SHELL = {
    "dev.heldcall.kernel.codec..",
    "dev.heldcall.kernel.entity..",
    "dev.heldcall.kernel.session..",
    "dev.heldcall.kernel.policybook..",
    "dev.heldcall.kernel.route..",
    "dev.heldcall.kernel.execute..",
    "dev.heldcall.kernel.deliver..",
    "dev.heldcall.kernel.readside..",
    "dev.heldcall.kernel.journal..",
    "dev.heldcall.kernel.store..",
    "dev.heldcall.kernel.plugin..",
    "dev.heldcall.kernel.api.."
  };

  @ArchTest
  static final ArchRule PURE_PACKAGES_KNOW_NO_PEKKO =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.pekko..", "scala..", "com.typesafe..", "com.zaxxer..")
          .because("the core decides and the entity acts: return an event or an EnabledWork");

  @ArchTest
  static final ArchRule PURE_PACKAGES_KNOW_NO_OBJECT_MAPPER =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(ObjectMapper.class)
          .because("reading and writing JSON is the codec's: take and give a JsonNode");

  @ArchTest
  static final ArchRule PURE_PACKAGES_DO_NO_INPUT_OR_OUTPUT =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "java.net..", "java.nio.file..")
          .because(
              "a decision rests on its arguments: let the caller read, and pass the result in");

  @ArchTest
  static final ArchRule PURE_PACKAGES_HAVE_NO_CLOCK =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(java.time.Clock.class)
          .orShould()
          .callMethodWhere(target(owner(resideInAPackage("java.time.."))).and(target(name("now"))))
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .because("time is an argument: take an Instant, or CallContext.now()");

  @ArchTest
  static final ArchRule PURE_PACKAGES_HAVE_NO_RANDOMNESS =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              java.util.Random.class, java.util.random.RandomGenerator.class, java.util.UUID.class)
          .orShould()
          .callMethod(Math.class, "random")
          .because("ids are derived from what is known, or are arguments");

  @ArchTest
  static final ArchRule PURE_PACKAGES_HAVE_NO_THREADS =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.concurrent..")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(Thread.class, ThreadLocal.class, Runnable.class)
          .because("the core is one function called by one actor: keep state in HeldCallFacts");

  @ArchTest
  static final ArchRule PURE_PACKAGES_READ_NO_ENVIRONMENT =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethodWhere(
              target(owner(type(System.class)))
                  .and(target(name("getenv").or(name("getProperty")).or(name("getProperties")))))
          .orShould()
          .dependOnClassesThat()
          .resideInAPackage("dev.heldcall.config..")
          .because("settings are read once at start and come in as arguments");

  @ArchTest
  static final ArchRule PURE_PACKAGES_DO_NOT_LOG =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.slf4j..", "java.util.logging..", "ch.qos.logback..")
          .orShould()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .because("what matters is an event, an answer or a reason; the entity logs");

  @ArchTest
  static final ArchRule THE_CORE_KNOWS_NOT_WHO_CALLS_IT =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SHELL)
          .because("dependencies point inwards: move the type inwards, or pass its content in");

  @ArchTest
  static final ArchRule THE_GROUND_FLOOR_STANDS_ALONE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.heldcall.kernel.digest..",
              "dev.heldcall.kernel.lease..",
              "dev.heldcall.kernel.witness..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.heldcall.kernel.policy..",
              "dev.heldcall.kernel.call..",
              "dev.heldcall.kernel.work..")
          .because("digest, lease and witness are vocabulary: policy and call build on them");

  @ArchTest
  static final ArchRule POLICY_KNOWS_NO_CALL =
      noClasses()
          .that()
          .resideInAPackage("dev.heldcall.kernel.policy..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.heldcall.kernel.call..", "dev.heldcall.kernel.work..")
          .because("policy judges a CallUnderPolicy: add what it must know there");

  @ArchTest
  static final ArchRule A_CALL_KNOWS_NO_WORK =
      noClasses()
          .that()
          .resideInAPackage("dev.heldcall.kernel.call..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.heldcall.kernel.work..")
          .because("conditions stand in call.Enabling, and work only names what they enable");

  /**
   * {@code journal} is among them as Pekko's own plugin: Pekko makes it, and it answers Pekko's
   * journal protocol. {@code store} is not: it only names the plugin's class in a configuration.
   */
  @ArchTest
  static final ArchRule PEKKO_IS_KNOWN_ONLY_WHERE_ACTORS_ARE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.heldcall.kernel.api..",
              "dev.heldcall.kernel.codec..",
              "dev.heldcall.kernel.deliver..",
              "dev.heldcall.kernel.entity..",
              "dev.heldcall.kernel.execute..",
              "dev.heldcall.kernel.journal..",
              "dev.heldcall.kernel.policybook..",
              "dev.heldcall.kernel.readside..",
              "dev.heldcall.kernel.route..",
              "dev.heldcall.kernel.session..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.pekko..", "scala..")
          .because("an actor is thin: what it decides or reads belongs in a class without Pekko");

  /** {@code journal} is among them because its statements are what it is for. */
  @ArchTest
  static final ArchRule JDBC_IS_KNOWN_ONLY_WHERE_TABLES_ARE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.heldcall.kernel.api..",
              "dev.heldcall.kernel.journal..",
              "dev.heldcall.kernel.policybook..",
              "dev.heldcall.kernel.readside..",
              "dev.heldcall.kernel.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "com.zaxxer..", "org.h2..")
          .because("an entity reaches tables through a port that is answered later");

  /**
   * {@code journal} and {@code store} have a pool each: Pekko makes the plugin, and there is no way
   * to hand it the store's.
   */
  @ArchTest
  static final ArchRule POOLS_ARE_OPENED_BY_THE_STORE_AND_THE_JOURNAL =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.heldcall.kernel.journal..", "dev.heldcall.kernel.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.zaxxer..", "org.h2..")
          .because("there is one pool for reads and the read side: take the Store");

  /**
   * Pekko makes the plugin of {@code journal} with its section of the configuration; {@code store}
   * and {@code api} write what Pekko is configured with.
   */
  @ArchTest
  static final ArchRule CONFIGURATION_IS_READ_ELSEWHERE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.heldcall.kernel.api..",
              "dev.heldcall.kernel.journal..",
              "dev.heldcall.kernel.store..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.typesafe.config..")
          .because("settings are read once at start: take HeldcallSettings, or the value itself");

  @ArchTest
  static final ArchRule THE_JOURNAL_PLUGIN_KNOWS_NO_CALL =
      noClasses()
          .that()
          .resideInAPackage("dev.heldcall.kernel.journal..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.heldcall..")
                  .and(
                      not(
                          resideInAnyPackage(
                              "dev.heldcall.kernel.journal..", "dev.heldcall.kernel.store.."))))
          .because("it stores what any persistent actor writes: a call's meaning is the codec's");

  @ArchTest
  static final ArchRule NOTHING_BUT_THE_FACADE_KNOWS_THE_FACADE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.heldcall.kernel.api..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.heldcall.kernel.api..")
          .because("api is the kernel's outside: types that the inside needs belong further in");

  /**
   * Two exceptions. The marker that chooses a serializer says nothing of its package's content, and
   * the list of the journal's event types must name them all.
   */
  @ArchTest
  static final ArchRule PACKAGES_FORM_NO_CYCLES =
      slices()
          .matching("dev.heldcall.kernel.(*)..")
          .should()
          .beFreeOfCycles()
          .ignoreDependency(alwaysTrue(), name("dev.heldcall.kernel.codec.KernelMessage"))
          .ignoreDependency(name("dev.heldcall.kernel.codec.JournalTypes"), alwaysTrue())
          .allowEmptyShould(true)
          .because("a cycle makes two packages one: move what both need to a package below them");

  @ArchTest
  static final ArchRule ONLY_THE_REDUCER_MAKES_FACTS =
      constructors()
          .that()
          .areDeclaredIn(HeldCallFacts.class)
          .should()
          .onlyBeCalled()
          .byClassesThat(
              belongToAnyOf(HeldCallFacts.class, HeldCallReducer.class)
                  .or(name("dev.heldcall.kernel.call.FactsEditor")))
          .because("replay must lead to the same facts: write an event, and reduce it");

  @ArchTest
  static final ArchRule ACTORS_ARE_CLOSED =
      classes()
          .that()
          .haveSimpleNameEndingWith("Actor")
          .or()
          .haveSimpleNameEndingWith("Entity")
          .should()
          .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
          .andShould()
          .haveOnlyPrivateConstructors()
          .allowEmptyShould(true)
          .because("an actor is reached through its messages: give it a static create");

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should()
          .haveNameMatching(".*(Impl|Utils?|Manager|Helper)")
          .because("such a name fits anything: say what it does or what it is");
}
