package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.kernel.digest.Digests;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerReaderTest {

  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";
  private static final int KEPT = 64;

  private static Exchange.Answer read(String bytes) throws Exception {
    Exchange.Answer whole =
        new AnswerReader(new ByteArrayInputStream(bytes.getBytes(UTF_8))).read(KEPT);
    assertThat(new AnswerReader(dripping(bytes)).read(KEPT)).isEqualTo(whole);
    return whole;
  }

  /** One byte a read. */
  private static InputStream dripping(String bytes) {
    return new ByteArrayInputStream(bytes.getBytes(UTF_8)) {
      @Override
      public synchronized int read(byte[] into, int from, int length) {
        return super.read(into, from, Math.min(length, 1));
      }
    };
  }

  private static String headers(int count) {
    StringBuilder all = new StringBuilder();
    for (int i = 1; i < count; i++) {
      all.append("X-").append(i).append(": y\r\n");
    }
    return all.append("Content-Length: 0\r\n\r\n").toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\n",
        "HTTP/1.1 200 OK",
        OK,
        OK + "Content-Length: 0",
        OK + "Content-Length: 0\r\n",
        OK + "Content-Length: 2\r\nX: y\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\n\r\n" + OK
      })
  void aHeadThatBreaksOffIsNoAnswer(String bytes) {
    assertThatThrownBy(() -> read(bytes)).isInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/0.9 200 OK\r\n\r\n",
        "HTTP/1.1 600 Odd\r\n\r\n",
        "HTTP/1.1 2000 Odd\r\n\r\n",
        "HTTP/1.1 20 Odd\r\n\r\n",
        OK + "no colon\r\n\r\n",
        OK + "Content-Length : 0\r\n\r\n",
        OK + "Content-Length: -1\r\n\r\n",
        OK + "Content-Length: two\r\n\r\n",
        OK + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        OK + "Transfer-Encoding: gzip\r\n\r\n",
        OK + "Transfer-Encoding: chunked, chunked\r\n\r\n"
      })
  void whatIsNoHttpIsNoAnswer(String bytes) {
    assertThatThrownBy(() -> read(bytes)).isInstanceOf(HttpException.class);
  }

  @Test
  void headersAreBoundedInNumber() throws Exception {
    assertThat(read(OK + headers(64)).status()).isEqualTo(200);
    assertThatThrownBy(() -> read(OK + headers(65))).isInstanceOf(MessageConstraintException.class);
  }

  @Test
  void linesAreBoundedInLength() throws Exception {
    String end = "\r\nContent-Length: 0\r\n\r\n";
    assertThat(read(OK + "X: " + "y".repeat(8000) + end).status()).isEqualTo(200);
    for (String bomb :
        new String[] {
          OK + "X: " + "y".repeat(8200) + end,
          OK + "X: y" + ("\r\n " + "z".repeat(4000)).repeat(3) + end,
          "HTTP/1.1 200 " + "O".repeat(8200) + end
        }) {
      assertThatThrownBy(() -> read(bomb)).isInstanceOf(MessageConstraintException.class);
    }
  }

  @Test
  void aLineWithoutEndIsGivenUpInBoundedMemory() {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'y';
          }

          @Override
          public int read(byte[] into, int from, int length) {
            Arrays.fill(into, from, from + length, (byte) 'y');
            return length;
          }
        };
    InputStream bytes =
        new SequenceInputStream(new ByteArrayInputStream(OK.getBytes(UTF_8)), endless);
    assertThatThrownBy(() -> new AnswerReader(bytes).read(KEPT))
        .isInstanceOf(MessageConstraintException.class);
  }

  @Test
  void interimAnswersArePassedOverUpToABound() throws Exception {
    String interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    String last = OK + "Content-Length: 2\r\n\r\nab";
    assertThat(read(interim.repeat(16) + last).body().size()).isEqualTo(2);
    assertThatThrownBy(() -> read(interim.repeat(17) + last)).isInstanceOf(HttpException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        OK + "Content-Length: 3\r\n\r\nab",
        CHUNKED,
        CHUNKED + "2\r\nab",
        CHUNKED + "2\r\nab\r\n",
        CHUNKED + "9\r\nab\r\n0\r\n\r\n",
        CHUNKED + "2\r\nab\r\n0",
        CHUNKED + "2\r\nab\r\n0\r\n",
        CHUNKED + "2\r\nab\r\n0\r\nX: y\r\n",
        CHUNKED + "2\r\nabc\r\n0\r\n\r\n",
        CHUNKED + "-2\r\nab\r\n0\r\n\r\n",
        CHUNKED + "zz\r\nab\r\n0\r\n\r\n"
      })
  void aBodyThatBreaksOffSaysSo(String bytes) throws Exception {
    Exchange.Answer answer = read(bytes);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().complete()).isFalse();
  }

  @Test
  void chunkExtensionsAndTrailersAreBounded() throws Exception {
    String extended = CHUNKED + "2;x=" + "y".repeat(8000) + "\r\nab\r\n0\r\nT: u\r\n\r\n";
    assertThat(read(extended).body().complete()).isTrue();
    assertThat(read(CHUNKED + "2;x=" + "y".repeat(8200) + "\r\nab\r\n0\r\n\r\n").body().complete())
        .isFalse();
    assertThat(read(CHUNKED + "2\r\nab\r\n0\r\n" + headers(65)).body().complete()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"204", "304"})
  void someStatusesHaveNoBodyWhateverTheHeadSays(int status) throws Exception {
    Exchange.Answer answer = read("HTTP/1.1 " + status + " x\r\nContent-Length: 5\r\n\r\n");
    assertThat(answer.body().complete()).isTrue();
    assertThat(answer.body().size()).isZero();
  }

  @Test
  void ofABodyTheBeginningIsKeptAndTheWholeDigested() throws Exception {
    String text = "0123456789".repeat(5000);
    for (String bytes :
        new String[] {
          OK + "Content-Length: 50000\r\n\r\n" + text,
          CHUNKED + "c350\r\n" + text + "\r\n0\r\n\r\n",
          "HTTP/1.0 200 OK\r\n\r\n" + text
        }) {
      ReceivedBody body = read(bytes).body();
      assertThat(body.complete()).isTrue();
      assertThat(body.whole()).isFalse();
      assertThat(body.size()).isEqualTo(50_000);
      assertThat(body.kept().utf8String()).isEqualTo(text.substring(0, KEPT));
      assertThat(body.digest()).isEqualTo(Digests.sha256(text.getBytes(UTF_8)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "application/json,true",
    "Application/JSON ; charset=utf-8,true",
    "application/problem+json,true",
    "text/plain,false",
    "text/plain; x=/json,false",
    "json,false",
    "application/jsonl,false"
  })
  void sayingThatItIsJson(String type, boolean json) throws Exception {
    assertThat(read(OK + "Content-Type: " + type + "\r\nContent-Length: 0\r\n\r\n").json())
        .isEqualTo(json);
    assertThat(read(OK + "Content-Length: 0\r\n\r\n").json()).isFalse();
  }
}
