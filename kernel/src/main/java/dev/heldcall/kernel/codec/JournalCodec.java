package dev.heldcall.kernel.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;

/** Journal events to JSON bytes and back, by name and version. */
public final class JournalCodec {

  private static final int MAX_VALUE_CHARS = 64 << 20;

  private final JournalTypes types = new JournalTypes();
  private final JsonMapper mapper =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxStringLength(MAX_VALUE_CHARS)
                          .maxNestingDepth(500)
                          .build())
                  .build())
          .addModule(new JavaTimeModule())
          .addModule(new SealedTypesModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** The manifest under which the event is written: its name and version. */
  public String manifest(Object event) {
    return types.typeOf(event.getClass()).manifest();
  }

  /** The event's stable name, without the version. */
  public String name(Object event) {
    return types.typeOf(event.getClass()).name();
  }

  /** The event as JSON. */
  public byte[] write(Object event) {
    try {
      return mapper.writeValueAsBytes(event);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + manifest(event), e);
    }
  }

  /** The event as a tree, for showing it. */
  public ObjectNode tree(Object event) {
    return mapper.valueToTree(event);
  }

  /**
   * Reads an event, lifting older versions to the newest.
   *
   * @throws IllegalArgumentException if the manifest is not known
   */
  public Object read(String manifest, byte[] bytes) {
    int colon = manifest.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("expected name:version, found '" + manifest + "'");
    }
    String name = manifest.substring(0, colon);
    int version = Integer.parseInt(manifest.substring(colon + 1));
    try {
      UnaryOperator<ObjectNode> lift = types.upcaster(name, version);
      if (lift == null) {
        return mapper.readValue(bytes, types.classOf(name));
      }
      ObjectNode tree = (ObjectNode) mapper.readTree(bytes);
      for (int at = version; lift != null; lift = types.upcaster(name, ++at)) {
        tree = lift.apply(tree);
      }
      return mapper.treeToValue(tree, types.classOf(name));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + manifest, e);
    }
  }

  JournalTypes types() {
    return types;
  }
}
