package dev.heldcall.kernel.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.Presentation;
import dev.heldcall.kernel.codec.JournalCodec;
import dev.heldcall.kernel.readside.Timestamps;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.WireName;
import java.io.IOException;
import java.time.Instant;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Events as they are shown in a call's history: everything but quarantined content, and arguments
 * and results only as far as the viewer's disclosure allows.
 */
final class HistoryJson {

  /**
   * What one who does not see all sees.
   *
   * @param arguments of each generation's arguments, by its number
   * @param results whether results are shown
   */
  record Sight(IntFunction<DisclosureRule> arguments, boolean results) {}

  private final JournalCodec codec;
  private final JsonMapper mapper;

  HistoryJson(JournalCodec codec) {
    this.codec = codec;
    SimpleModule spelling = new SimpleModule();
    spelling.addSerializer(Instant.class, new InstantSpelling());
    spelling.addSerializer(WireName.class, new WireSpelling());
    mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .addModule(spelling)
            .defaultPropertyInclusion(
                JsonInclude.Value.construct(
                    JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();
  }

  /**
   * One event.
   *
   * @param sight what the viewer sees of it, or null for all
   */
  ObjectNode item(long sequence, HeldCallEvent event, @Nullable Sight sight) {
    ObjectNode item = JsonNodeFactory.instance.objectNode();
    item.put("seq", sequence);
    item.put("event_id", event.meta().eventId());
    item.put("type", codec.name(event));
    item.put("at", Timestamps.text(event.meta().at()));
    item.put("actor", event.meta().actor());
    ObjectNode data = mapper.valueToTree(event);
    data.remove("meta");
    data.remove("quarantined_content");
    if (sight != null) {
      withhold(data, sight);
    }
    item.set("data", data);
    return item;
  }

  private static void withhold(ObjectNode data, Sight sight) {
    if (!sight.results()) {
      data.remove("content");
      if (data.get("resolution") instanceof ObjectNode resolution) {
        resolution.remove("content");
      }
    }
    JsonNode generation = data.get("generation");
    if (generation instanceof ObjectNode content && content.has("args")) {
      Presentation.disclosed(
              content.path("args"), sight.arguments().apply(content.path("number").asInt()))
          .writeTo(content);
    }
  }

  private static final class InstantSpelling extends JsonSerializer<Instant> {
    @Override
    public void serialize(Instant value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(Timestamps.text(value));
    }
  }

  private static final class WireSpelling extends JsonSerializer<WireName> {
    @Override
    public void serialize(WireName value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(value.wireName());
    }
  }
}
