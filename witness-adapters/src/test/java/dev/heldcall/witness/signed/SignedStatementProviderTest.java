package dev.heldcall.witness.signed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.Answered;
import dev.heldcall.plugin.api.IncomingWitness.Disposition;
import dev.heldcall.plugin.api.IncomingWitness.Vote;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignedStatementProviderTest {

  private static final String SIGNERS = "'signers': [{'kid': 'k-1', 'id': 'signer'}]";

  private final SigningService service = new SigningService();

  @AfterEach
  void end() {
    service.close();
  }

  private static Digest digest(char of) {
    return new Digest("sha256:" + String.valueOf(of).repeat(64));
  }

  private static WitnessRequest request() {
    return new WitnessRequest(
        "rq-1",
        "hc_a",
        2,
        digest('a'),
        digest('b'),
        "ci",
        Boundary.TOOL,
        "deploy",
        digest('c'),
        SigningService.JSON.createObjectNode().put("service", "shop"),
        Disclosure.SUMMARY,
        List.of("/secret"),
        new PrincipalRef("acme", "default", "agent-1"),
        null,
        Instant.parse("2026-05-04T10:00:00Z"),
        Instant.parse("2026-05-04T10:10:00Z"),
        null);
  }

  private static ProviderContract contract(Duration timeout, long maxBytes) {
    Principal identity =
        new Principal(
            "signer",
            "acme",
            "default",
            Set.of(Role.WITNESS),
            new TreeSet<>(Set.of("ci")),
            new TreeSet<>(),
            null,
            null);
    return new ProviderContract(
        "build-signer",
        "signed-statement",
        "ci",
        identity,
        0,
        timeout,
        null,
        true,
        ProviderContract.OnNestedRefused.DENY,
        Disclosure.FULL,
        Duration.ofHours(1),
        maxBytes);
  }

  private static WitnessProvider provider(ProviderContract contract, String settings)
      throws InvalidProviderSettings {
    JsonNode read =
        SigningService.json(
            settings.replace('\'', '"').getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return type()
        .create(
            contract,
            read,
            new ProviderServices(
                InstantSource.system(), Executors.newVirtualThreadPerTaskExecutor()));
  }

  private static WitnessProviderType type() {
    return ServiceLoader.load(WitnessProviderType.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.kind().equals("signed-statement"))
        .findFirst()
        .orElseThrow();
  }

  private WitnessProvider provider(String more) throws InvalidProviderSettings {
    return provider(
        contract(Duration.ofSeconds(5), 65_536),
        "{'url': '" + service.uri() + "', " + SIGNERS + more + "}");
  }

  private static WitnessAnswer ask(WitnessProvider provider) {
    return provider.ask(request()).toCompletableFuture().join();
  }

  private static JsonNode refused(IncomingWitness meant, int status) {
    IncomingReply reply = ((Answered) meant).reply();
    assertThat(reply.status()).isEqualTo(status);
    JsonNode body = SigningService.json(reply.body());
    assertThat(body.path("disposition").asText()).isEqualTo("invalid");
    return body.path("reason");
  }

  @Nested
  class Asking {

    @Test
    void postsTheRequestAndWaits() throws InvalidProviderSettings {
      try (WitnessProvider provider = provider(", 'authorization': 'Bearer s3cret'")) {
        assertThat(ask(provider))
            .isEqualTo(new WitnessAnswer.Waiting("rq-1", null, "a signed statement is waited for"));
      }
      JsonNode posted = service.posted.getFirst();
      assertThat(posted.path("type").asText()).isEqualTo("request");
      assertThat(posted.path("call_digest").asText()).isEqualTo(digest('a').value());
      assertThat(posted.path("args").path("service").asText()).isEqualTo("shop");
      assertThat(posted.path("left_out").get(0).asText()).isEqualTo("/secret");
      assertThat(posted.path("answer_to").asText()).isEqualTo("/witnesses/build-signer/incoming");
      assertThat(service.authorizations).containsExactly("Bearer s3cret");
    }

    @Test
    void withoutAnAddressOnlyWaits() throws InvalidProviderSettings {
      try (WitnessProvider silent =
          provider(contract(Duration.ofSeconds(5), 65_536), "{" + SIGNERS + "}")) {
        assertThat(ask(silent)).isInstanceOf(WitnessAnswer.Waiting.class);
      }
      assertThat(service.posted).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"500,true", "503,true", "429,true", "400,false", "404,false", "301,false"})
    void isNotTaken(int status, boolean again) throws InvalidProviderSettings {
      service.status = status;
      try (WitnessProvider provider = provider("")) {
        assertThat(ask(provider))
            .isEqualTo(
                new WitnessAnswer.Unavailable("the service answered with status " + status, again));
      }
    }

    @Test
    void isGivenUpInTime() throws InvalidProviderSettings {
      service.silent = true;
      try (WitnessProvider hasty =
          provider(
              contract(Duration.ofMillis(100), 65_536),
              "{'url': '" + service.uri() + "', " + SIGNERS + "}")) {
        assertThat(ask(hasty))
            .isEqualTo(new WitnessAnswer.Unavailable("the service did not answer in time", true));
      }
    }

    @Test
    void findsNobodyThere() throws InvalidProviderSettings {
      service.close();
      try (WitnessProvider provider = provider("")) {
        assertThat(ask(provider))
            .isEqualTo(new WitnessAnswer.Unavailable("the service could not be reached", true));
      }
    }

    @Test
    void remindsAndWithdraws() throws InvalidProviderSettings {
      try (WitnessProvider provider = provider("")) {
        provider.remind(request(), "rq-1").toCompletableFuture().join();
        provider
            .withdraw(new WitnessWithdrawal("rq-1", "hc_a", "deploy", "rq-1", "cancelled"))
            .toCompletableFuture()
            .join();
        service.status = 500;
        assertThat(
                provider.withdraw(
                    new WitnessWithdrawal("rq-1", "hc_a", "deploy", "rq-1", "cancelled")))
            .as("is tried again")
            .failsWithin(Duration.ofSeconds(20));
      }
      assertThat(service.posted)
          .extracting(it -> it.path("type").asText())
          .containsExactly("remind", "withdraw", "withdraw");
    }
  }

  @Nested
  class TakingIn {

    private ObjectNode statement(WitnessProvider provider) {
      var _ = ask(provider);
      return service.statement(service.posted.getFirst(), "k-1");
    }

    @Test
    void makesAVoteOfASignedStatement() throws InvalidProviderSettings {
      try (WitnessProvider provider = provider("")) {
        ObjectNode statement = statement(provider);
        Vote vote = (Vote) provider.incoming(SigningService.message(statement));
        assertThat(vote.heldId()).isEqualTo("hc_a");
        assertThat(vote.witness()).isEqualTo(new PrincipalRef("acme", "default", "signer"));
        assertThat(vote.attestation().attestationId()).isEqualTo("rq-1");
        assertThat(vote.attestation().callDigest()).isEqualTo(digest('a'));
        assertThat(vote.attestation().signature()).isEqualTo(statement.path("signature"));
      }
    }

    @Test
    void tellsTheSenderWhatBecameOfIt() throws InvalidProviderSettings {
      try (WitnessProvider provider = provider("")) {
        Vote vote = (Vote) provider.incoming(SigningService.message(statement(provider)));
        Map.of(
                Disposition.ACCEPTED, 202,
                Disposition.DUPLICATE, 200,
                Disposition.STALE, 409,
                Disposition.INVALID, 422,
                Disposition.UNAVAILABLE, 503)
            .forEach(
                (disposition, status) -> {
                  IncomingReply reply = vote.reply().apply(new VoteOutcome(disposition, "so"));
                  assertThat(reply.status()).as("%s", disposition).isEqualTo(status);
                  assertThat(SigningService.json(reply.body()).path("reason").asText())
                      .isEqualTo("so");
                });
      }
    }

    @Test
    void refusesAKeyOfNobody() throws InvalidProviderSettings {
      try (WitnessProvider provider = provider("")) {
        var _ = ask(provider);
        ObjectNode forged = service.statement(service.posted.getFirst(), "k-9");
        assertThat(refused(provider.incoming(SigningService.message(forged)), 403).asText())
            .isEqualTo("nobody who may sign here has the key 'k-9'");
      }
    }

    @Test
    void refusesAnotherClass() throws InvalidProviderSettings {
      try (WitnessProvider provider = provider("")) {
        ObjectNode other = statement(provider).put("witness_class", "human");
        assertThat(refused(provider.incoming(SigningService.message(other)), 422).asText())
            .isEqualTo("statements here are of the class 'ci'");
      }
    }

    @Test
    void asksForTheTokenThatIsConfigured() throws InvalidProviderSettings {
      String abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
      try (WitnessProvider provider = provider(", 'token-sha256': '" + abc + "'")) {
        ObjectNode statement = statement(provider);
        for (String wrong : List.of("Bearer abd", "Bearer ", "abc", "Basic abc")) {
          assertThat(refused(provider.incoming(SigningService.message(statement, wrong)), 401))
              .isNotNull();
        }
        assertThat(refused(provider.incoming(SigningService.message(statement)), 401)).isNotNull();
        assertThat(provider.incoming(SigningService.message(statement, "bearer abc")))
            .isInstanceOf(Vote.class);
      }
    }

    @Test
    void refusesWhatIsMalformed() throws InvalidProviderSettings {
      try (WitnessProvider provider = provider("")) {
        ObjectNode good = statement(provider);
        for (String text : List.of("", "{", "[]", "{} {}", "null")) {
          assertThat(refused(provider.incoming(SigningService.message(text)), 422)).isNotNull();
        }
        String doubled = good.toString().replaceFirst("\\{", "{\"held_id\":\"hc_b\",");
        assertThat(refused(provider.incoming(SigningService.message(doubled)), 422)).isNotNull();
        for (String field :
            List.of(
                "held_id",
                "attestation_id",
                "generation",
                "call_digest",
                "contract_digest",
                "witness_class",
                "decision",
                "issued_at",
                "expires_at",
                "signature")) {
          ObjectNode less = good.deepCopy();
          less.remove(field);
          assertThat(refused(provider.incoming(SigningService.message(less)), 422).asText())
              .startsWith(field + ": ");
        }
        ObjectNode more = good.deepCopy().put("decided", true);
        assertThat(refused(provider.incoming(SigningService.message(more)), 422).asText())
            .isEqualTo("a field is not known: 'decided'");
        ObjectNode unnamed = good.deepCopy();
        unnamed.putObject("signature").put("jws", "e30..x");
        assertThat(refused(provider.incoming(SigningService.message(unnamed)), 422).asText())
            .startsWith("signature: it names no key");
      }
    }

    @Test
    void readsNoMoreThanItMay() throws InvalidProviderSettings {
      try (WitnessProvider narrow =
          provider(contract(Duration.ofSeconds(5), 64), "{" + SIGNERS + "}")) {
        assertThat(refused(narrow.incoming(SigningService.message("x".repeat(65))), 413))
            .isNotNull();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                                          | settings",
        "{}                                          | signers",
        "{'signers': []}                             | signers",
        "{'signers': [{'id': 'x'}]}                  | signers.0.kid",
        "{'signers': ['x']}                          | signers.0",
        "{'signers': [{'kid': 'k', 'key': 1}]}       | signers.0.key",
        "{'signers': [{'kid': 'k'}, {'kid': 'k'}]}   | signers.1.kid",
        "{'signers': [{'kid': 'k'}], 'uri': 'x'}     | uri",
        "{'signers': [{'kid': 'k'}], 'url': 'x'}     | url",
        "{'signers': [{'kid': 'k'}], 'url': 'ftp://h/'} | url",
        "{'signers': [{'kid': 'k'}], 'token-sha256': 'abc'} | token-sha256"
      })
  void wrongSettingsNameTheirPlace(String settings, String path) {
    assertThatThrownBy(() -> provider(contract(Duration.ofSeconds(5), 64), settings))
        .isInstanceOfSatisfying(
            InvalidProviderSettings.class, it -> assertThat(it.path()).isEqualTo(path));
  }
}
