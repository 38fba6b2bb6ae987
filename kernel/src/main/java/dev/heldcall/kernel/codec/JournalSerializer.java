package dev.heldcall.kernel.codec;

import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Plugs {@link JournalCodec} into Pekko; bound to the event types in heldcall-kernel.conf. */
public final class JournalSerializer extends SerializerWithStringManifest {

  /** Part of every journal row: never changes. */
  public static final int IDENTIFIER = 730_125;

  private final JournalCodec codec = new JournalCodec();

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object event) {
    return codec.manifest(event);
  }

  @Override
  public byte[] toBinary(Object event) {
    return codec.write(event);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return codec.read(manifest, bytes);
  }
}
