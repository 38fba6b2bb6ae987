package dev.heldcall.witness.database;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.evidence.DisclosedArgs;
import dev.heldcall.witness.evidence.EvidenceJson;
import dev.heldcall.witness.evidence.Undecidable;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Attests what a query reads for a call. The values of rows stay in the database, unless shown. */
final class DatabaseProvider implements WitnessProvider {

  /** The most characters of shown values; all evidence is kept in the journal. */
  static final int MAX_SHOWN = 16_384;

  private final ProviderContract contract;
  private final DatabaseSettings settings;
  private final ProviderServices services;
  private final ReadOnlyQuery query;

  DatabaseProvider(
      ProviderContract contract, DatabaseSettings settings, ProviderServices services) {
    this.contract = contract;
    this.settings = settings;
    this.services = services;
    this.query = new ReadOnlyQuery(settings, "witness-" + contract.id(), contract.maxAnswerBytes());
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    List<Object> values = new ArrayList<>();
    Map<String, JsonNode> expected;
    try {
      DisclosedArgs args = DisclosedArgs.of(request);
      for (QueryParameter parameter : settings.parameters()) {
        values.add(parameter.in(args));
      }
      expected = settings.expectation().in(args);
    } catch (Undecidable e) {
      return CompletableFuture.completedFuture(e.answer());
    }
    CompletableFuture<WitnessAnswer> answer = new CompletableFuture<>();
    try {
      services.blocking().execute(() -> answer.complete(run(request, values, expected)));
    } catch (RejectedExecutionException e) {
      answer.complete(new WitnessAnswer.Unavailable("the node takes no work", true));
    }
    return answer.completeOnTimeout(
        new WitnessAnswer.Unavailable(
            "the database did not answer within " + DurationText.of(contract.timeout()), true),
        contract.timeout().toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private WitnessAnswer run(
      WitnessRequest request, List<Object> values, Map<String, JsonNode> expected) {
    try {
      Rows rows = query.run(values);
      if (rows.more()) {
        return new WitnessAnswer.Deferred(
            "the query gives more than " + settings.maxRows() + " rows");
      }
      return judge(request, rows, expected);
    } catch (Undecidable e) {
      return e.answer();
    } catch (SQLException e) {
      return SqlFailure.answer(e, query.isExhausted(), settings);
    } catch (RuntimeException e) {
      return new WitnessAnswer.Unavailable(
          "the query failed: " + e.getClass().getSimpleName(), true);
    }
  }

  private WitnessAnswer judge(WitnessRequest request, Rows rows, Map<String, JsonNode> expected)
      throws Undecidable {
    Optional<String> mismatch = settings.expectation().mismatch(rows, expected);
    if (mismatch.isEmpty()) {
      return attest(request, AttestationDecision.APPROVE, "the query gives what is expected", rows);
    }
    return switch (settings.onMismatch()) {
      case DENY -> attest(request, AttestationDecision.DENY, mismatch.get(), rows);
      case DEFER -> new WitnessAnswer.Deferred(mismatch.get());
    };
  }

  private WitnessAnswer attest(
      WitnessRequest request, AttestationDecision decision, String reason, Rows rows) {
    return WitnessAnswer.Attested.of(
        request.attest(
            "",
            decision,
            reason,
            evidence(request, rows),
            null,
            services.clock().instant(),
            contract.validity()));
  }

  /**
   * The digest is over the call's digest too: equal rows do not show as equal in two calls, and
   * nobody can look up what a short value digests to once and for all.
   */
  private ObjectNode evidence(WitnessRequest request, Rows rows) {
    ObjectNode observed = JsonNodeFactory.instance.objectNode();
    observed.put("call_digest", request.callDigest().value()).put("query", settings.name());
    ArrayNode all = observed.putArray("rows");
    rows.rows().forEach(row -> write(row, all.addObject()));

    ObjectNode evidence = JsonNodeFactory.instance.objectNode();
    evidence.put("type", "database").put("digest", EvidenceJson.digest(observed).value());
    evidence.put("query", settings.name());
    evidence.put("query_digest", EvidenceJson.digest(settings.sql()).value());
    evidence.put("rows", rows.rows().size());
    if (!settings.show().isEmpty()) {
      ArrayNode shown = shown(all);
      if (shown.toString().length() <= MAX_SHOWN) {
        evidence.set("shown", shown);
      } else {
        evidence.put("shown_left_out", true);
      }
    }
    return evidence;
  }

  private ArrayNode shown(ArrayNode rows) {
    ArrayNode shown = JsonNodeFactory.instance.arrayNode();
    for (JsonNode row : rows) {
      ObjectNode part = shown.addObject();
      settings.show().stream()
          .sorted()
          .filter(row::has)
          .forEach(column -> part.set(column, row.get(column)));
    }
    return shown;
  }

  /** Numbers are written as text, so that none is rounded. */
  private static void write(Map<String, Object> row, ObjectNode to) {
    row.forEach(
        (column, value) -> {
          switch (value) {
            case Boolean truth -> to.put(column, truth);
            case BigDecimal number -> to.put(column, number.stripTrailingZeros().toPlainString());
            case String text -> to.put(column, text);
            default -> to.putNull(column);
          }
        });
  }

  @Override
  public void close() {
    query.close();
  }
}
