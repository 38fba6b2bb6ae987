package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A compiled JSON Schema 2020-12. References stay within the document: nothing is fetched. Compiled
 * once; safe to use from many threads.
 */
final class ToolSchema {

  private static final int MAX_PROBLEMS = 32;

  private static final SchemaRegistryConfig CONFIG =
      SchemaRegistryConfig.builder()
          .locale(Locale.ENGLISH)
          .regularExpressionFactory(SchemaPattern::compile)
          .build();

  private static final Schema META_SCHEMA =
      registry().getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));

  private final Schema schema;

  private ToolSchema(Schema schema) {
    this.schema = schema;
  }

  /** One for each schema: a shared one would find another tool's schema of the same $id. */
  private static SchemaRegistry registry() {
    return SchemaRegistry.withDefaultDialect(
        SpecificationVersion.DRAFT_2020_12,
        builder ->
            builder
                .schemaRegistryConfig(CONFIG)
                .schemaLoader(
                    loader ->
                        loader
                            .fetchRemoteResources(false)
                            .allow(
                                iri ->
                                    iri.toString().startsWith("https://json-schema.org/draft/"))));
  }

  /**
   * Compiles a schema.
   *
   * @throws IllegalArgumentException with the place, if it is no schema of that dialect
   */
  static ToolSchema compile(JsonNode json) {
    List<SchemaProblem> problems = problems(META_SCHEMA, json);
    if (!problems.isEmpty()) {
      SchemaProblem first = problems.getFirst();
      throw new IllegalArgumentException(
          "no JSON Schema 2020-12: at '" + first.pointer() + "': " + first.message());
    }
    try {
      Schema schema = registry().getSchema(json);
      schema.initializeValidators();
      return new ToolSchema(schema);
    } catch (RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException("no usable JSON Schema: " + e.getMessage(), e);
    }
  }

  /** Where the value breaks it, at most {@value #MAX_PROBLEMS}; a failing validation is a break. */
  List<SchemaProblem> check(JsonNode value) {
    return problems(schema, value);
  }

  private static List<SchemaProblem> problems(Schema schema, JsonNode value) {
    List<SchemaProblem> problems = new ArrayList<>();
    try {
      for (Error error : schema.validate(value)) {
        if (problems.size() == MAX_PROBLEMS) {
          break;
        }
        problems.add(problem(error));
      }
    } catch (RuntimeException | StackOverflowError e) {
      problems.add(new SchemaProblem("", "could not be validated: " + e, ""));
    }
    return problems;
  }

  private static SchemaProblem problem(Error error) {
    String pointer = String.valueOf(error.getInstanceLocation());
    String property = error.getProperty();
    if (property != null && "additionalProperties".equals(error.getKeyword())) {
      pointer = pointer + "/" + Fields.escaped(property);
    }
    return new SchemaProblem(
        pointer, String.valueOf(error.getMessage()), String.valueOf(error.getEvaluationPath()));
  }
}
