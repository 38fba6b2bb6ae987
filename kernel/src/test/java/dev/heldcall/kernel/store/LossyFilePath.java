package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.message.DbException;
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
    String base = getBase().toString();
    if (getBase().isDirectory()) {
      return new Folder(base, getBase().open(mode));
    }
    if (!mode.equals("r") && !getBase().exists()) {
      LossyDisk.beforeCreation(base);
    }
    return new Channel(base, getBase().open(mode));
  }

  @Override
  public boolean createFile() {
    if (!getBase().exists()) {
      throwing(() -> LossyDisk.beforeCreation(getBase().toString()));
    }
    return super.createFile();
  }

  @Override
  public void delete() {
    throwing(() -> LossyDisk.beforeDeletion(getBase().toString()));
    super.delete();
  }

  @Override
  public void moveTo(FilePath target, boolean atomicReplace) {
    String to = target.unwrap().toString();
    throwing(
        () -> {
          if (!target.exists()) {
            LossyDisk.beforeCreation(to);
          } else {
            LossyDisk.beforeDeletion(to);
          }
          LossyDisk.beforeDeletion(getBase().toString());
        });
    super.moveTo(target, atomicReplace);
  }

  private interface Operation {
    void run() throws IOException;
  }

  private static void throwing(Operation operation) {
    try {
      operation.run();
    } catch (IOException e) {
      throw DbException.convertIOException(e, "the lossy disk");
    }
  }

  /** A folder, opened to be forced. */
  private static final class Folder extends FileBaseDefault {

    private final String name;
    private final FileChannel folder;

    Folder(String name, FileChannel folder) {
      this.name = name;
      this.folder = folder;
    }

    @Override
    public void force(boolean metadata) throws IOException {
      LossyDisk.folderForced(name);
    }

    @Override
    public long size() throws IOException {
      return folder.size();
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread opens and forces it
    public int read(ByteBuffer target, long position) throws IOException {
      return folder.read(target, position);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // as above
    public int write(ByteBuffer source, long position) throws IOException {
      throw new IOException("a folder is not written to");
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      throw new IOException("a folder is not truncated");
    }

    @Override
    protected void implCloseChannel() throws IOException {
      folder.close();
    }
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
