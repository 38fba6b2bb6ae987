package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.store.fs.FilePath;

/**
 * Forces the folder that a new file is in: without it a power cut can leave the file's bytes on the
 * disk and no name that leads to them.
 */
final class FolderForce {

  private FolderForce() {}

  /** Forces the folder of a file and the folder above, where the system lets folders be forced. */
  static void entryOf(FilePath file) throws IOException {
    if (System.getProperty("os.name", "").startsWith("Windows")) {
      return;
    }
    FilePath folder = file.toRealPath().getParent();
    for (int level = 0; level < 2 && folder != null; level++) {
      if (Files.isReadable(innermost(folder))) {
        try (FileChannel channel = folder.open("r")) {
          channel.force(true);
        }
      }
      folder = folder.getParent();
    }
  }

  private static Path innermost(FilePath wrapped) {
    FilePath path = wrapped;
    while (path.unwrap() != null && path.unwrap() != path) {
      path = path.unwrap();
    }
    return Path.of(path.toString());
  }
}
