package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.h2.store.fs.FilePath;

/**
 * Forces the folder that a new file is in: without it a power cut can leave the file's bytes on the
 * disk and no name that leads to them.
 */
final class FolderForce {

  private FolderForce() {}

  /** Forces the folder of a file and the folder above, where the system lets folders be forced. */
  static void entryOf(FilePath file) throws IOException {
    FilePath innermost = file;
    while (innermost.unwrap() != null && innermost.unwrap() != innermost) {
      innermost = innermost.unwrap();
    }
    Path folder = Path.of(innermost.toString()).toAbsolutePath().getParent();
    for (int level = 0; level < 2 && folder != null; level++) {
      force(folder);
      folder = folder.getParent();
    }
  }

  private static void force(Path folder) throws IOException {
    if (!Files.isReadable(folder) || System.getProperty("os.name", "").startsWith("Windows")) {
      return;
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
