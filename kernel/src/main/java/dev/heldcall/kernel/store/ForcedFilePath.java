package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * H2's file system {@code force:}, in which what was written to a database file stays written: H2
 * itself never asks the operating system to put its writes on the disk. Each write of the wrapped
 * file goes through a {@link RedoLog} first; the other files (H2's temporary ones) are left alone.
 *
 * <p>Public, with a public constructor, because H2 makes its instances.
 */
public final class ForcedFilePath extends FilePathWrapper {

  static final String SCHEME = "force";

  private static final String DATABASE_SUFFIX = ".mv.db";

  /** What the log beside a database file is called: its name, and this. */
  static final String LOG_SUFFIX = ".redo";

  /** For H2. */
  public ForcedFilePath() {}

  /** Makes {@code jdbc:h2:force:…} known to H2. Doing it again changes nothing. */
  static void register() {
    FilePath.register(new ForcedFilePath());
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    FileChannel file = getBase().open(mode);
    if (mode.equals("r") || !isDatabase()) {
      return file;
    }
    try {
      return new ForcedFile(file, log());
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public void delete() {
    super.delete();
    if (isDatabase()) {
      log().delete();
    }
  }

  private boolean isDatabase() {
    return name.endsWith(DATABASE_SUFFIX);
  }

  private FilePath log() {
    return FilePath.get(getBase() + LOG_SUFFIX);
  }
}
