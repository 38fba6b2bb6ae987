package dev.heldcall.kernel.execute;

import dev.heldcall.plugin.api.Digest;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.pekko.util.ByteString;

/**
 * A body as it came: its beginning is kept, the whole is counted and digested.
 *
 * @param kept the first bytes, at most as many as the bound
 * @param size how many bytes came
 * @param digest of all that came
 * @param complete whether the body came to its end
 */
record ReceivedBody(ByteString kept, long size, Digest digest, boolean complete) {

  /** Whether {@link #kept} is the whole body. */
  boolean whole() {
    return complete && size == kept.size();
  }

  /** Takes a body in, chunk by chunk, in bounded memory. One stream at a time. */
  static final class Intake {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final MessageDigest sha256;
    private final long maxBytes;
    private long size;

    Intake(long maxBytes) {
      this.maxBytes = maxBytes;
      try {
        this.sha256 = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }

    /** Takes the first {@code length} bytes of the buffer, which may be used again after. */
    void take(byte[] buffer, int length) {
      sha256.update(buffer, 0, length);
      long room = Math.min(maxBytes - kept.size(), length);
      kept.write(buffer, 0, (int) room);
      size += length;
    }

    ReceivedBody end(boolean complete) {
      Digest digest = new Digest("sha256:" + HexFormat.of().formatHex(sha256.digest()));
      return new ReceivedBody(
          ByteString.fromArrayUnsafe(kept.toByteArray()), size, digest, complete);
    }
  }
}
