package dev.heldcall.gateway.product;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Who there is. Every organization has the same principals; a token is {@code <org>-<id>}, and of a
 * second token of one principal another name. The many organizations are one for each test that
 * changes a policy.
 */
public final class Cast {

  /** Organizations of tests that change no policy. */
  static final String ACME = "acme";

  /** Somebody else's. */
  static final String OTHER = "other";

  /** How many organizations there are for tests that change theirs. */
  static final int OWN = 40;

  /** Each as the end of its token, what it may, and its id if that is another than the token's. */
  private static final String[][] PRINCIPALS = {
    {"agent", "roles = [agent], capabilities = [act, pay]"},
    {"agent-2", "roles = [agent], capabilities = [act, pay]"},
    {"poor", "roles = [agent], capabilities = []"},
    {"worker", "roles = [worker]"},
    {"both", "roles = [agent, witness], witness-classes = [human], capabilities = [act, pay]"},
    {"delegate", "roles = [witness], witness-classes = [human], on-behalf-of = agent"},
    {"alice", "roles = [witness], witness-classes = [human]"},
    {"bob", "roles = [witness], witness-classes = [human]"},
    {"carol", "roles = [witness], witness-classes = [human]"},
    {"alice-again", "roles = [witness], witness-classes = [human, ci]", "alice"},
    {"alices-bot", "roles = [witness], witness-classes = [human], on-behalf-of = alice"},
    {"bosss-agent", "roles = [agent], capabilities = [act], on-behalf-of = boss"},
    {"bosss-bot", "roles = [witness], witness-classes = [human], on-behalf-of = boss"},
    {"boss", "roles = [witness], witness-classes = [human]"},
    {"model", "roles = [agent], capabilities = [act], model-family = m-1"},
    {"peer-1", "roles = [witness], witness-classes = [peer-model], model-family = m-1"},
    {"peer-2", "roles = [witness], witness-classes = [peer-model], model-family = m-2"},
    {"peer-x", "roles = [witness], witness-classes = [peer-model]"},
    {"ci", "roles = [witness], witness-classes = [ci]"},
    {"compliance", "roles = [witness], witness-classes = [compliance]"},
    {"operator", "roles = [operator]"},
    {"own-operator", "roles = [operator], on-behalf-of = agent"},
    {"owner", "roles = [policy-owner], capabilities = [\"policy.change\"]"},
  };

  private Cast() {}

  static String own(int number) {
    return "own-" + number;
  }

  /** The {@code auth} block. */
  public static String hocon() {
    StringBuilder text = new StringBuilder("heldcall.auth.tokens = [\n");
    organization(text, ACME);
    organization(text, OTHER);
    for (int i = 0; i < OWN; i++) {
      organization(text, own(i));
    }
    return text.append("]\n").toString();
  }

  private static void organization(StringBuilder text, String org) {
    for (String[] principal : PRINCIPALS) {
      text.append("{ sha256 = ").append(sha256(org + "-" + principal[0]));
      text.append(", id = ")
          .append(principal[principal.length == 3 ? 2 : 0])
          .append(", org = ")
          .append(org);
      text.append(", project = main, ").append(principal[1]).append(" }\n");
    }
  }

  private static String sha256(String token) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
