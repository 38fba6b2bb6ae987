package dev.heldcall.kernel.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.util.Base64URL;
import dev.heldcall.kernel.signature.VerificationKey.Algorithm;
import java.math.BigInteger;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The signatures that the standards themselves publish. */
class PublishedVectorsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static CompactJws jws(String text) throws SignatureProblem {
    return CompactJws.parse(text, EnumSet.allOf(Algorithm.class), true);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** RFC 8037, appendix A: Ed25519 in JWK and JWS. */
  @Nested
  class Rfc8037 {

    private static final String KEY =
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\","
            + "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}";
    private static final String JWS =
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
            + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";

    @Test
    void thumbprintOfA3() {
      assertThat(VerificationKey.of(KEY, "k").id().thumbprint())
          .isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    @Test
    void signatureOfA4VerifiesAsInA5() throws SignatureProblem {
      CompactJws parsed = jws(JWS);
      assertThat(new String(parsed.payload(), UTF_8)).isEqualTo("Example of Ed25519 signing");
      assertThatCode(() -> parsed.verify(VerificationKey.of(KEY, "k"))).doesNotThrowAnyException();
    }

    @Test
    void withOneBitChangedDoesNot() throws SignatureProblem {
      CompactJws other = jws(JWS.replace("hgyY", "hgyZ"));
      assertThatThrownBy(() -> other.verify(VerificationKey.of(KEY, "k")))
          .isInstanceOf(SignatureProblem.class)
          .hasMessage("the signature is not one of the key 'k' over this content");
    }
  }

  /** RFC 7515, appendix A.3: ES256. */
  @Nested
  class Rfc7515 {

    private static final String KEY =
        "{\"kty\":\"EC\",\"crv\":\"P-256\","
            + "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
            + "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}";
    private static final String JWS =
        "eyJhbGciOiJFUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
            + "Ijp0cnVlfQ"
            + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

    @Test
    void signatureOfA3Verifies() throws SignatureProblem {
      CompactJws parsed = jws(JWS);
      assertThat(parsed.json().path("iss").asText()).isEqualTo("joe");
      assertThatCode(() -> parsed.verify(VerificationKey.of(KEY, "k"))).doesNotThrowAnyException();
    }

    @Test
    void asDetachedContentVerifiesOnlyOverTheSameBytes() throws SignatureProblem {
      String[] parts = JWS.split("\\.", -1);
      CompactJws detached = jws(parts[0] + ".." + parts[2]);
      VerificationKey key = VerificationKey.of(KEY, "k");
      byte[] payload = Base64.getUrlDecoder().decode(parts[1]);
      assertThatCode(() -> detached.attached(payload).verify(key)).doesNotThrowAnyException();
      payload[0]++;
      assertThatThrownBy(() -> detached.attached(payload).verify(key))
          .isInstanceOf(SignatureProblem.class);
    }
  }

  /** The DSSE protocol, its example, and test vectors of its repository. */
  @Nested
  class Dsse {

    private static final VerificationKey A =
        ed25519("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");

    private static VerificationKey ed25519(String hex) {
      String x = Base64URL.encode(HexFormat.of().parseHex(hex)).toString();
      return VerificationKey.of("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + x + "\"}", "A");
    }

    private static VerificationKey exampleKey() {
      BigInteger x =
          new BigInteger(
              "46950820868899156662930047687818585632848591499744589407958293238635476079160");
      BigInteger y =
          new BigInteger(
              "5640078356564379163099075877009565129882514886557779369047442380624545832820");
      return VerificationKey.of(
          new ECKey.Builder(Curve.P_256, Base64URL.encode(x), Base64URL.encode(y)).build(), "A");
    }

    private static DsseEnvelope envelope(String type, String payload, String sig)
        throws SignatureProblem {
      return DsseEnvelope.parse(
          json(
              "{\"payloadType\":\""
                  + type
                  + "\",\"payload\":\""
                  + payload
                  + "\",\"signatures\":[{\"keyid\":\"A\",\"sig\":\""
                  + sig
                  + "\"}]}"));
    }

    @Test
    void encodingOfTheExample() {
      assertThat(
              DsseEnvelope.preAuthentication(
                  "http://example.com/HelloWorld", "hello world".getBytes(UTF_8)))
          .asString(UTF_8)
          .isEqualTo("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }

    @Test
    void signatureOfTheExample() throws SignatureProblem {
      DsseEnvelope example =
          envelope(
              "http://example.com/HelloWorld",
              "aGVsbG8gd29ybGQ=",
              "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA==");
      assertThatCode(() -> example.verify(exampleKey())).doesNotThrowAnyException();
      assertThatThrownBy(() -> example.verify(A)).isInstanceOf(SignatureProblem.class);
    }

    @Test
    void oneSignature() throws SignatureProblem {
      DsseEnvelope vector =
          envelope(
              "application/vnd.in-toto+json",
              "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==",
              "2WAfaHm5jluo0w+0rk8uVkluELJYWjSmU9x7EUzx+AyteDGJ4/nqyJXfmAUVFIAoQafWm7AxBZNw5M9ixNHiCA==");
      assertThatCode(() -> vector.verify(A)).doesNotThrowAnyException();
    }

    @Test
    void urlSafeBase64() throws SignatureProblem {
      DsseEnvelope vector =
          envelope(
              "application/vnd.in-toto+json",
              "-_-_Pj8=",
              "P-_KHICeR7tI6S_YyejJTRtrXhcQyQ2LYPaL8h90KjC9qN8HU_svOQ6TuDOT1HIrsGW886DbWNWcCmX5twLrAw==");
      assertThatCode(() -> vector.verify(A)).doesNotThrowAnyException();
    }

    @Test
    void typeThatWasSwapped() throws SignatureProblem {
      DsseEnvelope vector =
          envelope(
              "application/vnd.example.other+json",
              "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==",
              "2WAfaHm5jluo0w+0rk8uVkluELJYWjSmU9x7EUzx+AyteDGJ4/nqyJXfmAUVFIAoQafWm7AxBZNw5M9ixNHiCA==");
      assertThatThrownBy(() -> vector.verify(A)).isInstanceOf(SignatureProblem.class);
    }

    @Test
    void typeOutsideOfAscii() throws SignatureProblem {
      DsseEnvelope vector =
          envelope(
              "application/vnd.exämple+json",
              "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==",
              "xmSk/ug66ysT7ayhkCIjhAq42zgZXSsEWuzUaNL7w2eGAdF/NU6/fRXPtmfN+5DNSAs5/i2lUnHjbbjPsu0tAw==");
      assertThatCode(() -> vector.verify(A)).doesNotThrowAnyException();
    }

    @Test
    void emptyPayload() throws SignatureProblem {
      DsseEnvelope vector =
          envelope(
              "application/vnd.in-toto+json",
              "",
              "gSggCAaTLTYyRH6FIDBem6meyIynsYy8RTHVzwx9tnTb7Bg/1jMWnuVgI/gffqmbsC2VX5/jHfkkDqsj7CDbDg==");
      assertThatCode(() -> vector.verify(A)).doesNotThrowAnyException();
    }
  }
}
