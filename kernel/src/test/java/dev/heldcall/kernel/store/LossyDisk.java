package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk whose power is cut: of what was written to a file since it was last forced, each sector of
 * 512 bytes arrives or not, by chance, and so does the file's new size. The power goes at the n-th
 * write or force, which then fails like all after it.
 *
 * <p>There is one for the whole JVM, because H2 makes the file systems that write to it.
 */
final class LossyDisk {

  private static final int SECTOR = 512;

  private static final Map<String, Unforced> FILES = new HashMap<>();
  private static long operationsLeft = Long.MAX_VALUE;
  private static long forces;

  private LossyDisk() {}

  /** What a file was when it was last forced, as far as it is another now. */
  private static final class Unforced {
    final TreeMap<Long, byte[]> sectors = new TreeMap<>();
    long size;
  }

  /** An empty disk whose power goes after so many writes and forces. */
  static synchronized void reset(long operationsUntilTheCut) {
    FILES.clear();
    operationsLeft = operationsUntilTheCut;
    forces = 0;
  }

  /** The power goes after so many more writes and forces. */
  static synchronized void cutAfter(long operationsUntilTheCut) {
    operationsLeft = operationsUntilTheCut;
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
    Unforced unforced = Objects.requireNonNull(FILES.get(name));
    unforced.sectors.clear();
    unforced.size = size;
  }

  /** Loses what it is chance to lose, and puts the power back on. No file may be open. */
  static synchronized void lose(Random chance) throws IOException {
    for (Map.Entry<String, Unforced> entry : FILES.entrySet()) {
      lose(Path.of(entry.getKey()), entry.getValue(), chance);
    }
    reset(Long.MAX_VALUE);
  }

  private static void lose(Path path, Unforced unforced, Random chance) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long newSize = chance.nextBoolean() ? file.size() : unforced.size;
      for (Map.Entry<Long, byte[]> sector : unforced.sectors.entrySet()) {
        boolean wasCutOff = sector.getKey() * SECTOR >= file.size();
        if (wasCutOff || chance.nextBoolean()) {
          file.write(ByteBuffer.wrap(sector.getValue()), sector.getKey() * SECTOR);
        }
      }
      if (file.size() > newSize) {
        file.truncate(newSize);
      }
    }
  }
}
