package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk whose power is cut: of what was written to a file since it was last forced, each sector of
 * 512 bytes arrives or not, by chance, and so does the file's new size. A file that was made,
 * deleted or renamed since its folder was last forced may be found as if it had not been. The power
 * goes at the n-th write or force, which then fails like all after it.
 *
 * <p>There is one for the whole JVM, because H2 makes the file systems that write to it.
 */
public final class LossyDisk {

  /** What becomes of what was not forced. */
  public enum Loss {
    /** None of it is there. */
    ALL,
    /** Each part is there or not, by chance. */
    SOME
  }

  /** Which forces are none: to show what they are for. */
  enum Ignored {
    NOTHING,
    FILES,
    FOLDERS
  }

  private static final int SECTOR = 512;

  private static final Map<String, Unforced> FILES = new HashMap<>();
  private static final Map<String, Optional<byte[]>> NAMES = new TreeMap<>();
  private static Ignored ignored = Ignored.NOTHING;
  private static long operationsLeft = Long.MAX_VALUE;
  private static long forces;

  private LossyDisk() {}

  /** What a file was when it was last forced, as far as it is another now. */
  private static final class Unforced {
    final TreeMap<Long, byte[]> sectors = new TreeMap<>();
    long size;
  }

  /** An empty disk whose power goes after so many writes and forces. */
  public static synchronized void reset(long operationsUntilTheCut) {
    FILES.clear();
    NAMES.clear();
    ignored = Ignored.NOTHING;
    operationsLeft = operationsUntilTheCut;
    forces = 0;
  }

  /** The power goes after so many more writes and forces. */
  public static synchronized void cutAfter(long operationsUntilTheCut) {
    operationsLeft = operationsUntilTheCut;
  }

  /** From now on, until the reset, forces of this kind are heard and forgotten. */
  static synchronized void ignore(Ignored what) {
    ignored = what;
  }

  /** Whether the power is gone. */
  public static synchronized boolean isOff() {
    return operationsLeft <= 0;
  }

  /** Forces since the reset. */
  static synchronized long forces() {
    return forces;
  }

  static synchronized void opened(String name, long size) {
    if (!FILES.containsKey(name)) {
      Unforced file = new Unforced();
      file.size = size;
      FILES.put(name, file);
    }
  }

  /** A file is about to be made that is not there. */
  static synchronized void beforeCreation(String name) throws IOException {
    operate();
    NAMES.putIfAbsent(name, Optional.empty());
  }

  /** A file is about to be deleted, or to be replaced by another one. */
  static synchronized void beforeDeletion(String name) throws IOException {
    operate();
    Path path = Path.of(name);
    if (Files.isRegularFile(path)) {
      NAMES.putIfAbsent(name, Optional.of(Files.readAllBytes(path)));
    }
    FILES.remove(name);
  }

  /** What was made and deleted in the folder so far stays so. */
  static synchronized void folderForced(String folder) throws IOException {
    operate();
    if (ignored != Ignored.FOLDERS) {
      Path parent = Path.of(folder);
      NAMES.keySet().removeIf(name -> parent.equals(Path.of(name).getParent()));
    }
  }

  private static void operate() throws IOException {
    if (operationsLeft <= 0) {
      throw new IOException("the power is off");
    }
    operationsLeft--;
  }

  static synchronized void beforeWrite(String name, FileChannel file, long position, long length)
      throws IOException {
    operate();
    Unforced unforced = Objects.requireNonNull(FILES.get(name));
    for (long at = position / SECTOR; at * SECTOR < position + length; at++) {
      if (!unforced.sectors.containsKey(at)) {
        unforced.sectors.put(at, sector(file, at));
      }
    }
  }

  private static byte[] sector(FileChannel file, long at) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SECTOR);
    int got = 0;
    while (bytes.hasRemaining() && got >= 0) {
      got = file.read(bytes, at * SECTOR + bytes.position());
    }
    return bytes.array();
  }

  static synchronized void forced(String name, long size) throws IOException {
    operate();
    forces++;
    if (ignored == Ignored.FILES) {
      return;
    }
    Unforced unforced = Objects.requireNonNull(FILES.get(name));
    unforced.sectors.clear();
    unforced.size = size;
  }

  /** Loses what is to be lost, and puts the power back on. No file may be open. */
  public static synchronized void lose(Loss loss, Random chance) throws IOException {
    for (Map.Entry<String, Unforced> entry : FILES.entrySet()) {
      if (Files.exists(Path.of(entry.getKey()))) {
        lose(Path.of(entry.getKey()), entry.getValue(), loss, chance);
      }
    }
    for (Map.Entry<String, Optional<byte[]>> entry : NAMES.entrySet()) {
      if (isLost(loss, chance)) {
        Path path = Path.of(entry.getKey());
        Files.deleteIfExists(path);
        if (entry.getValue().isPresent()) {
          Files.write(path, entry.getValue().get());
        }
      }
    }
    reset(Long.MAX_VALUE);
  }

  private static boolean isLost(Loss loss, Random chance) {
    return loss == Loss.ALL || chance.nextBoolean();
  }

  private static void lose(Path path, Unforced unforced, Loss loss, Random chance)
      throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long newSize = isLost(loss, chance) ? unforced.size : file.size();
      for (Map.Entry<Long, byte[]> sector : unforced.sectors.entrySet()) {
        boolean wasCutOff = sector.getKey() * SECTOR >= file.size();
        if (wasCutOff || isLost(loss, chance)) {
          file.write(ByteBuffer.wrap(sector.getValue()), sector.getKey() * SECTOR);
        }
      }
      if (file.size() > newSize) {
        file.truncate(newSize);
      }
    }
  }
}
