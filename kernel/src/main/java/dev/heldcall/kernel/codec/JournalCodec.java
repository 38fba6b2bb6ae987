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
import java.util.List;
import java.util.function.UnaryOperator;

/** Journal events to JSON bytes and back, by name and version. */
public final class JournalCodec {

  private static final int MAX_VALUE_CHARS = 64 << 20;

  private final JournalTypes types;
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
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_LONG_FOR_INTS)
          .build();

  /** Reads and writes what this release knows. */
  public JournalCodec() {
    this(new JournalTypes());
  }

  JournalCodec(JournalTypes types) {
    this.types = types;
  }

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
   * Reads an event, lifting older versions to the newest. A recovered event equals the one that was
   * written, the kinds of numbers in its trees included.
   *
   * @throws IllegalArgumentException if this release does not know the manifest
   * @throws UncheckedIOException if the bytes are not such an event
   */
  public Object read(String manifest, byte[] bytes) {
    JournalTypes.Type written = JournalTypes.Type.parse(manifest);
    Class<?> eventClass = types.classOf(written.name());
    List<UnaryOperator<ObjectNode>> lifts = types.lifts(written);
    try {
      Object event =
          lifts.isEmpty()
              ? mapper.readValue(bytes, eventClass)
              : mapper.treeToValue(lifted(bytes, lifts), eventClass);
      if (event == null) {
        throw new IOException("null is no event");
      }
      return event;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + manifest + ": " + e.getMessage(), e);
    }
  }

  private ObjectNode lifted(byte[] bytes, List<UnaryOperator<ObjectNode>> lifts)
      throws IOException {
    if (!(mapper.readTree(bytes) instanceof ObjectNode tree)) {
      throw new IOException("not a JSON object");
    }
    ObjectNode lifted = tree;
    for (UnaryOperator<ObjectNode> lift : lifts) {
      lifted = lift.apply(lifted);
    }
    return lifted;
  }

  JournalTypes types() {
    return types;
  }
}
