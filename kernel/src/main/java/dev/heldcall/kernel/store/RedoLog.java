package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.zip.CRC32C;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/**
 * Makes the writes to one file durable and atomic, in their order, at one force each.
 *
 * <p><b>Why.</b> H2 gives its writes to the operating system and leaves it there. After a power cut
 * any part of what was not forced is missing, in any order. Forcing the file itself after each
 * write is not enough: a chunk has checksums over its first and last block only, so one of which
 * the middle is missing passes for whole; and a header that names a chunk which did not arrive
 * makes H2 look for the newest chunk at the end of the file, where an old one may lie.
 *
 * <p><b>How.</b> A write is first appended to a log beside the file, as one record with a checksum,
 * and the log is forced; that is the one force of a commit. Only then is the file written, and not
 * forced. On opening, the records of the log are applied to the file again, up to the first that is
 * not whole: a write that was never acknowledged. Applying a sequence of writes twice is the same
 * as once, so it does not matter which of them the file had already. When the log is full, the file
 * is forced and the log begins anew with the next epoch; a record of an earlier epoch further on is
 * then no longer taken for one of this.
 *
 * <p>A record: magic (8 bytes), epoch (8), index in the epoch (4), number of extents, or -1 for a
 * truncation (4), length of the body (4), CRC-32C of all but itself (4); then each extent's
 * position (8), length (4) and bytes, or the new size (8).
 *
 * <p>After a failed write or force nothing is known about either file, so nothing more is written:
 * every later call fails, and opening again finds what is durable.
 */
final class RedoLog implements AutoCloseable {

  /** The log begins anew before it grows past this, in bytes. */
  static final long CAPACITY = 8L << 20;

  private static final long MAGIC = 0x4843_5245_444F_3031L; // HCREDO01
  private static final int HEADER = 32;
  private static final int TRUNCATION = -1;

  private final FileChannel file;
  private final FileChannel log;
  private long epoch;
  private int index;
  private long end;
  private boolean failed;

  /**
   * Bytes at a place in the file.
   *
   * @param position the offset, 0 or more
   * @param bytes what is there
   */
  @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next; never compared
  record Extent(long position, byte[] bytes) {}

  private RedoLog(FileChannel file, FileChannel log) {
    this.file = file;
    this.log = log;
  }

  /**
   * Brings the file to the state that was last acknowledged, and begins an empty log.
   *
   * @param file the file, locked by this process
   * @param path where the log is, or will be
   */
  static RedoLog recover(FileChannel file, FilePath path) throws IOException {
    FileChannel log = path.open("rw");
    try {
      RedoLog redo = new RedoLog(file, log);
      redo.replay();
      file.force(true);
      log.truncate(0);
      log.force(true);
      FolderForce.entryOf(path);
      return redo;
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /** Writes extents: after a power cut all of them are there, or none. Durable on return. */
  void write(List<Extent> extents) throws IOException {
    int length = 0;
    for (Extent extent : extents) {
      length = Math.addExact(length, 12 + extent.bytes().length);
    }
    ByteBuffer entry = entry(extents.size(), length);
    for (Extent extent : extents) {
      entry.putLong(extent.position()).putInt(extent.bytes().length).put(extent.bytes());
    }
    append(entry);
  }

  /** Cuts the file to a size. Durable on return. */
  void truncate(long size) throws IOException {
    append(entry(TRUNCATION, 8).putLong(size));
  }

  /** Forces the file, and begins the log anew. */
  void checkpoint() throws IOException {
    refuseAfterFailure();
    failed = true;
    file.force(false);
    epoch++;
    index = 0;
    end = 0;
    // Not forced: should it not arrive, records are applied that the file has already.
    writeAt(log, ByteBuffer.allocate(HEADER), 0);
    failed = false;
  }

  private static ByteBuffer entry(int extents, int bodyLength) {
    ByteBuffer entry = ByteBuffer.allocate(Math.addExact(HEADER, bodyLength));
    return entry.putInt(20, extents).putInt(24, bodyLength).position(HEADER);
  }

  private void append(ByteBuffer entry) throws IOException {
    refuseAfterFailure();
    entry.flip();
    if (end > 0 && end + entry.limit() > CAPACITY) {
      checkpoint();
    }
    failed = true;
    entry.putLong(0, MAGIC).putLong(8, epoch).putInt(16, index);
    entry.putInt(28, checksum(entry));
    writeAt(log, entry, end);
    log.force(false);
    apply(entry);
    end += entry.limit();
    index++;
    failed = false;
  }

  private void refuseAfterFailure() throws IOException {
    if (failed) {
      throw new IOException("an earlier write failed: the database has to be opened again");
    }
  }

  private static int checksum(ByteBuffer entry) {
    CRC32C crc = new CRC32C();
    crc.update(entry.slice(0, 28));
    crc.update(entry.slice(HEADER, entry.limit() - HEADER));
    return (int) crc.getValue();
  }

  private void apply(ByteBuffer entry) throws IOException {
    ByteBuffer body = entry.slice(HEADER, entry.limit() - HEADER);
    int extents = entry.getInt(20);
    if (extents == TRUNCATION) {
      long size = body.getLong();
      if (size < file.size()) {
        file.truncate(size);
      }
      return;
    }
    for (int i = 0; i < extents; i++) {
      long position = body.getLong();
      int length = body.getInt();
      writeAt(file, body.slice(body.position(), length), position);
      body.position(body.position() + length);
    }
  }

  private void replay() throws IOException {
    long size = log.size();
    ByteBuffer entry = read(0, size);
    epoch = entry == null ? 0 : entry.getLong(8);
    while (entry != null && entry.getLong(8) == epoch && entry.getInt(16) == index) {
      apply(entry);
      end += entry.limit();
      index++;
      entry = read(end, size);
    }
    epoch++;
    index = 0;
    end = 0;
  }

  /** The whole record at a position, or null if there is none. */
  private @Nullable ByteBuffer read(long position, long size) throws IOException {
    if (size - position < HEADER) {
      return null;
    }
    ByteBuffer header = readAt(position, HEADER);
    int length = header.getInt(24);
    if (header.getLong(0) != MAGIC || length < 0 || size - position - HEADER < length) {
      return null;
    }
    ByteBuffer entry = readAt(position, HEADER + length);
    return checksum(entry) == entry.getInt(28) ? entry : null;
  }

  private ByteBuffer readAt(long position, int length) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    while (target.hasRemaining()) {
      if (log.read(target, position + target.position()) < 0) {
        throw new IOException("the log ended while it was read");
      }
    }
    return target.flip();
  }

  private static void writeAt(FileChannel channel, ByteBuffer source, long position)
      throws IOException {
    ByteBuffer bytes = source.duplicate().rewind();
    while (bytes.hasRemaining()) {
      channel.write(bytes, position + bytes.position());
    }
  }

  /** Closes the log's file as it stands. */
  @Override
  public void close() throws IOException {
    log.close();
  }
}
