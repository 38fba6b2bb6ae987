package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The header of an H2 file, kept pointing at the newest chunk.
 *
 * <p>H2 saves header writes: it names a chunk every twenty or so, and finds the newer ones from
 * there by a chain of predicted places. A new chunk may be put where a dead chunk of that chain
 * was; if the end comes before the header is brought forward, H2 follows the chain to where it now
 * breaks, and takes an older chunk for the newest. So each chunk is written together with a header
 * that names it, in one record of the log, and there is no chain to follow. This is what H2 does
 * after every chunk that it did not predict; we only do it always. Its own header writes then find
 * the same bytes in place and need no force.
 *
 * <p>The format is H2's: two blocks of 4096 bytes, each with the same line of {@code key:hex}
 * pairs, sorted, ended by a Fletcher checksum. A write that does not look like a new chunk is left
 * as it is.
 */
final class StoreHeader {

  private static final int BLOCK = 4096;
  private static final int LENGTH = 2 * BLOCK;
  private static final int LONGEST_CHUNK_HEADER = 1024;
  private static final String CHECKSUM = "fletcher";

  private byte[] bytes = new byte[0];
  private Map<String, String> fields = new HashMap<>();

  /** Takes over what the file has. */
  void read(FileChannel file) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(LENGTH);
    int got = 0;
    while (target.hasRemaining() && got >= 0) {
      got = file.read(target, target.position());
    }
    replace(Arrays.copyOf(target.array(), target.position()));
  }

  /**
   * Takes over a header that H2 writes.
   *
   * @return whether it differs from the one in place
   */
  boolean replace(byte[] written) {
    if (Arrays.equals(bytes, written)) {
      return false;
    }
    bytes = written;
    fields = parse(written);
    return true;
  }

  /**
   * The header that names the chunk which is about to be written.
   *
   * @return its bytes, for offset 0; null if this is no chunk newer than the one named now
   */
  byte @Nullable [] naming(byte[] chunk, long position) {
    Map<String, String> found = parse(chunk);
    if (fields.isEmpty() || !isNewer(found, chunk.length, position)) {
      return null;
    }
    fields.put("block", found.get("block"));
    fields.put("chunk", found.get("chunk"));
    fields.put("version", found.get("version"));
    fields.remove("clean");
    bytes = text();
    return bytes;
  }

  private boolean isNewer(Map<String, String> chunk, int length, long position) {
    return chunk.containsKey("chunk")
        && hex(chunk, "block") * BLOCK == position
        && hex(chunk, "len") * BLOCK == length
        && hex(chunk, "version") > hex(fields, "version");
  }

  private static long hex(Map<String, String> map, String key) {
    return DataUtils.readHexLong(map, key, 0);
  }

  private byte[] text() {
    StringBuilder line = DataUtils.appendMap(new StringBuilder(), new HashMap<>(fields));
    byte[] plain = line.toString().getBytes(StandardCharsets.ISO_8859_1);
    DataUtils.appendMap(line, CHECKSUM, DataUtils.getFletcher32(plain, 0, plain.length));
    byte[] block = line.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] both = Arrays.copyOf(block, LENGTH);
    System.arraycopy(block, 0, both, BLOCK, block.length);
    return both;
  }

  /** The pairs of the first line, without the checksum; none if it is no such line. */
  private static Map<String, String> parse(byte[] from) {
    int end = 0;
    int bound = Math.min(from.length, LONGEST_CHUNK_HEADER);
    while (end < bound && from[end] != '\n') {
      end++;
    }
    if (end == bound) {
      return new HashMap<>();
    }
    try {
      String line = new String(from, 0, end, StandardCharsets.ISO_8859_1).strip();
      Map<String, String> map = DataUtils.parseMap(line);
      map.remove(CHECKSUM);
      return map;
    } catch (MVStoreException e) {
      return new HashMap<>();
    }
  }
}
