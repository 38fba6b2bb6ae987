package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.List;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/**
 * A database file whose every write is durable when it returns. See {@link RedoLog} for how, and
 * {@link StoreHeader} for why a chunk is never written without the header that names it.
 *
 * <p>The log is replayed when the file's lock is taken: before that, another process may be writing
 * both.
 */
final class ForcedFile extends FileBaseDefault {

  private final FileChannel file;
  private final FilePath logPath;
  private final StoreHeader header = new StoreHeader();
  private @Nullable RedoLog log;

  ForcedFile(FileChannel file, FilePath logPath) throws IOException {
    this.file = file;
    this.logPath = logPath;
  }

  @Override
  public synchronized @Nullable FileLock tryLock(long position, long size, boolean shared)
      throws IOException {
    FileLock lock = file.tryLock(position, size, shared);
    if (lock != null && log == null) {
      try {
        log = RedoLog.recover(file, logPath);
        header.read(file);
      } catch (IOException | RuntimeException e) {
        lock.release();
        throw e;
      }
    }
    return lock;
  }

  private RedoLog log() throws IOException {
    if (log == null) {
      throw new IOException("written before its lock was taken: " + logPath);
    }
    return log;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // reads need not wait for a force
  public int read(ByteBuffer target, long position) throws IOException {
    return file.read(target, position);
  }

  @Override
  public synchronized int write(ByteBuffer source, long position) throws IOException {
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    RedoLog.Extent written = new RedoLog.Extent(position, bytes);
    if (position == 0) {
      if (header.replace(bytes)) {
        log().write(List.of(written));
      }
      return bytes.length;
    }
    byte[] newHeader = header.naming(bytes, position);
    log()
        .write(
            newHeader == null
                ? List.of(written)
                : List.of(written, new RedoLog.Extent(0, newHeader)));
    return bytes.length;
  }

  @Override
  protected synchronized void implTruncate(long newSize) throws IOException {
    if (newSize < file.size()) {
      log().truncate(newSize);
    }
  }

  /** Writes are durable already; this is the time to begin the log anew. */
  @Override
  public synchronized void force(boolean metadata) throws IOException {
    log().checkpoint();
  }

  /**
   * Leaves the log as it is: H2 has given up the lock by now. After a clean end it is empty (H2 has
   * called {@link #force} last), and after any other it is what the next opening needs.
   */
  @Override
  protected synchronized void implCloseChannel() throws IOException {
    try {
      if (log != null) {
        log.close();
      }
    } finally {
      file.close();
    }
  }

  @Override
  public String toString() {
    return ForcedFilePath.SCHEME + ":" + file;
  }
}
