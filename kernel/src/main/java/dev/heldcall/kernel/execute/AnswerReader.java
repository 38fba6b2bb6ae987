package dev.heldcall.kernel.execute;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultContentLengthStrategy;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.ContentLengthInputStream;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.IdentityInputStream;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;

/**
 * Reads the answer to one request off a connection, in bounded memory: at most 64 headers, 8 KiB a
 * line, 16 interim answers, and as much of the body as is to be kept.
 *
 * <p>The library's parser takes the end of a connection for the end of a head, or of a trailer. To
 * an effect that is the difference between "it answered 200" and "it broke off", so here the end of
 * the connection within a head, or within a body that says how long it is, is always an error.
 */
final class AnswerReader {

  private static final int MAX_LINE = 8 * 1024;
  private static final int MAX_HEADERS = 64;
  private static final int MAX_INTERIM = 16;
  private static final int BUFFER = 4 * 1024;
  private static final int CHUNK = 8 * 1024;
  private static final int FIRST_FINAL_STATUS = 200;
  private static final int LAST_STATUS = 599;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private static final Http1Config LIMITS =
      Http1Config.custom()
          .setMaxLineLength(MAX_LINE)
          // the library refuses the one that reaches the count
          .setMaxHeaderCount(MAX_HEADERS + 1)
          .build();

  /** Fails at its end. */
  private static final class Endless extends FilterInputStream {
    Endless(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = in.read(bytes, from, length);
      if (count < 0) {
        throw new EOFException("the connection was closed");
      }
      return count;
    }
  }

  private final InputStream wire;
  private final InputStream endless;
  private final SessionInputBufferImpl buffer = new SessionInputBufferImpl(BUFFER, MAX_LINE);

  /**
   * A reader of one connection.
   *
   * @param wire what comes, not buffered
   */
  AnswerReader(InputStream wire) {
    this.wire = wire;
    this.endless = new Endless(wire);
  }

  /**
   * The final answer.
   *
   * @param maxBytes how much of its body is kept
   * @throws HttpException if it is no HTTP/1
   * @throws IOException if its head is over a bound ({@link
   *     org.apache.hc.core5.http.MessageConstraintException}), or if the connection ended before it
   *     did; what ends its body is in the answer
   */
  Exchange.Answer read(long maxBytes) throws HttpException, IOException {
    DefaultHttpResponseParser parser = new DefaultHttpResponseParser(LIMITS);
    for (int interim = 0; interim <= MAX_INTERIM; interim++) {
      ClassicHttpResponse head = parser.parse(buffer, endless);
      int status = head.getCode();
      if (head.getVersion().getMajor() != 1 || status > LAST_STATUS) {
        throw new ProtocolException("no HTTP/1 status");
      }
      if (status >= FIRST_FINAL_STATUS) {
        InputStream body = body(head);
        return new Exchange.Answer(status, saysJson(head), received(body, maxBytes));
      }
    }
    throw new ProtocolException("too many interim answers");
  }

  private InputStream body(ClassicHttpResponse head) throws HttpException {
    if (head.getCode() == NO_CONTENT || head.getCode() == NOT_MODIFIED) {
      return InputStream.nullInputStream();
    }
    long length = DefaultContentLengthStrategy.INSTANCE.determineLength(head);
    if (length == ContentLengthStrategy.CHUNKED) {
      return new ChunkedInputStream(buffer, endless, LIMITS);
    }
    return length == ContentLengthStrategy.UNDEFINED
        ? new IdentityInputStream(buffer, wire)
        : new ContentLengthInputStream(buffer, endless, length);
  }

  /** From here on there is an answer, however its body ends. */
  private static ReceivedBody received(InputStream body, long maxBytes) {
    ReceivedBody.Intake intake = new ReceivedBody.Intake(maxBytes);
    byte[] chunk = new byte[CHUNK];
    try {
      for (int count = body.read(chunk); count >= 0; count = body.read(chunk)) {
        intake.take(chunk, count);
      }
      return intake.end(true);
    } catch (IOException | RuntimeException e) {
      return intake.end(false);
    }
  }

  private static boolean saysJson(ClassicHttpResponse head) {
    Header type = head.getFirstHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || type.getValue() == null) {
      return false;
    }
    String value = type.getValue();
    int parameters = value.indexOf(';');
    String media = (parameters < 0 ? value : value.substring(0, parameters)).strip();
    String subtype = media.substring(media.indexOf('/') + 1).toLowerCase(Locale.ROOT);
    return media.indexOf('/') > 0 && (subtype.equals("json") || subtype.endsWith("+json"));
  }
}
