package dev.heldcall.kernel.journal;

import dev.heldcall.kernel.journal.EventRow.Content;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.journal.Tagged;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serialization$;
import org.apache.pekko.serialization.Serializer;
import org.apache.pekko.serialization.Serializers;
import scala.Option;

/** Between Pekko's representation of a persistent event and its row. */
final class EventSerialization {

  private final Serialization serialization;

  EventSerialization(Serialization serialization) {
    this.serialization = serialization;
  }

  /**
   * The row of an event. Tags are not kept: nothing reads them.
   *
   * @throws RuntimeException what the event's serializer throws; one written in Scala may throw
   *     checked exceptions too
   */
  EventRow row(PersistentRepr repr) {
    // An actor reference in an event is written with this node's address.
    return Serialization$.MODULE$.withTransportInformation(
        serialization.system(), () -> rowHere(repr));
  }

  private EventRow rowHere(PersistentRepr repr) {
    Object event = repr.payload() instanceof Tagged tagged ? tagged.payload() : repr.payload();
    Option<Object> metadata = repr.metadata();
    return new EventRow(
        repr.persistenceId(),
        repr.sequenceNr(),
        false,
        repr.writerUuid(),
        repr.timestamp() == 0 ? System.currentTimeMillis() : repr.timestamp(),
        repr.manifest(),
        content(event),
        metadata.isDefined() ? content(metadata.get()) : null);
  }

  private Content content(Object object) {
    Serializer serializer = serialization.findSerializerFor(object);
    return new Content(
        serializer.identifier(),
        Serializers.manifestFor(serializer, object),
        serializer.toBinary(object));
  }

  /**
   * The event of a row.
   *
   * @throws RuntimeException if no serializer reads it
   */
  PersistentRepr repr(EventRow row) {
    PersistentRepr repr =
        PersistentRepr.apply(
                object(row.event()),
                row.sequenceNumber(),
                row.persistenceId(),
                row.adapterManifest(),
                row.deleted(),
                ActorRef.noSender(),
                row.writer())
            .withTimestamp(row.writeTimestamp());
    Content metadata = row.metadata();
    return metadata == null ? repr : repr.withMetadata(object(metadata));
  }

  private Object object(Content content) {
    return serialization
        .deserialize(content.bytes(), content.serializerId(), content.manifest())
        .get();
  }
}
