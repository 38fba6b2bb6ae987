package dev.heldcall.kernel.journal;

import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.serialization.JSerializer;
import org.apache.pekko.serialization.Serialization;
import org.jspecify.annotations.Nullable;

/** Writes an event that holds an actor reference, which needs to know the writing node. */
public final class ReferenceSerializer extends JSerializer {

  private final ExtendedActorSystem system;

  /** Made by Pekko. */
  public ReferenceSerializer(ExtendedActorSystem system) {
    this.system = system;
  }

  /** An event of the tests. */
  public record Reference(ActorRef ref) {}

  @Override
  public int identifier() {
    return 666_777;
  }

  @Override
  public boolean includeManifest() {
    return false;
  }

  @Override
  public byte[] toBinary(Object event) {
    if (Serialization.getCurrentTransportInformation() == null) {
      throw new IllegalStateException("it is not said which node writes");
    }
    return Serialization.serializedActorPath(((Reference) event).ref())
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Object fromBinaryJava(byte[] bytes, @Nullable Class<?> manifest) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("not an event of ours");
    }
    return new Reference(
        system.provider().resolveActorRef(new String(bytes, StandardCharsets.UTF_8)));
  }
}
