package dev.heldcall.kernel.journal;

import org.jspecify.annotations.Nullable;

/**
 * One event as a row of {@code event_journal}.
 *
 * @param persistenceId the actor that it belongs to
 * @param sequenceNumber its place there, from 1
 * @param deleted whether it was deleted: it is not replayed, and keeps its number
 * @param writer which incarnation of the actor wrote it
 * @param writeTimestamp when, in milliseconds of the writer's clock
 * @param adapterManifest what an event adapter is told, or empty
 * @param event the event
 * @param metadata what a replicated actor adds, or null
 */
record EventRow(
    String persistenceId,
    long sequenceNumber,
    boolean deleted,
    String writer,
    long writeTimestamp,
    String adapterManifest,
    Content event,
    @Nullable Content metadata) {

  /**
   * The row of an event that was rejected: it only keeps the number, so that an actor's numbers
   * have no gap.
   */
  static EventRow rejected(String persistenceId, long sequenceNumber, String writer) {
    return new EventRow(
        persistenceId,
        sequenceNumber,
        true,
        writer,
        System.currentTimeMillis(),
        "",
        new Content(0, "", new byte[0]),
        null);
  }

  /**
   * A serialized object.
   *
   * @param serializerId who reads it
   * @param manifest what the serializer is told
   * @param bytes the object
   */
  @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next; never compared
  record Content(int serializerId, String manifest, byte[] bytes) {}
}
