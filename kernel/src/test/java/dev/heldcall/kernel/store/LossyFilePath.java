package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** H2's file system {@code lossy:}, on a {@link LossyDisk}. */
public final class LossyFilePath extends FilePathWrapper {

  static final String SCHEME = "lossy";

  /** For H2. */
  public LossyFilePath() {}

  static void register() {
    FilePath.register(new LossyFilePath());
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new Channel(getBase().toString(), getBase().open(mode));
  }

  private static final class Channel extends FileBaseDefault {

    private final String name;
    private final FileChannel file;

    Channel(String name, FileChannel file) throws IOException {
      this.name = name;
      this.file = file;
      LossyDisk.opened(name, file.size());
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public synchronized int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public synchronized int write(ByteBuffer source, long position) throws IOException {
      LossyDisk.beforeWrite(name, file, position, source.remaining());
      return file.write(source, position);
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      LossyDisk.beforeWrite(name, file, size, Math.max(0, file.size() - size));
      file.truncate(size);
    }

    @Override
    public void force(boolean metadata) throws IOException {
      LossyDisk.forced(name, file.size());
      file.force(metadata);
    }

    @Override
    public synchronized FileLock tryLock(long position, long size, boolean shared)
        throws IOException {
      return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }
}
