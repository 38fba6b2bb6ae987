package dev.heldcall.kernel.digest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.DoubleNode;
import dev.heldcall.plugin.api.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The published sequence of ECMAScript number spellings (RFC 8785, appendix B; its authors'
 * repository json-canonicalization, testdata): generated here, and compared by the published digest
 * of the first hundred thousand lines.
 */
class NumberVectorsTest {

  private static final int LINES = 100_000;
  private static final Digest PUBLISHED =
      new Digest("sha256:22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7");

  @Test
  void theFirstHundredThousandNumbersAreSpeltAsPublished() throws IOException {
    StringBuilder out = new StringBuilder(50 * LINES);
    for (double value : sequence()) {
      out.append(Long.toHexString(Double.doubleToRawLongBits(value)))
          .append(',')
          .append(CanonicalJson.text(DoubleNode.valueOf(value)))
          .append('\n');
    }
    assertThat(Digests.sha256(out.toString().getBytes(US_ASCII))).isEqualTo(PUBLISHED);
  }

  private static List<Double> sequence() throws IOException {
    List<Double> values = new ArrayList<>(LINES);
    for (String bits : edgeCases()) {
      values.add(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16)));
    }
    for (long i = 0; i < 2_000; i++) {
      values.add(Double.longBitsToDouble(0x0010_0000_0000_0000L + i));
    }
    byte[] block = new byte[32];
    while (values.size() < LINES) {
      block = Digests.sha256Bytes(block);
      ByteBuffer numbers = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
      while (numbers.hasRemaining() && values.size() < LINES) {
        double value = numbers.getDouble();
        if (value != 0 && Double.isFinite(value)) {
          values.add(value);
        }
      }
    }
    return values;
  }

  private static List<String> edgeCases() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            NumberVectorsTest.class.getResourceAsStream("/digest/es6-number-bits.txt"))) {
      return new String(in.readAllBytes(), US_ASCII).lines().toList();
    }
  }
}
