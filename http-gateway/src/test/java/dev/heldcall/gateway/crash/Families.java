package dev.heldcall.gateway.crash;

import java.util.List;

/**
 * The libraries that something can be written, started, sent or said with. Every call of them is a
 * site or is on the list of those that are none.
 */
final class Families {

  private static final List<String> PREFIXES =
      List.of(
          "org.apache.pekko.",
          "java.sql.",
          "javax.sql.",
          "com.zaxxer.",
          "org.h2.",
          "org.postgresql.",
          "slick.",
          "java.nio.channels.",
          "java.nio.file.Files",
          "java.io.RandomAccessFile",
          "java.io.FileOutputStream",
          "java.io.OutputStream",
          "java.net.Socket",
          "javax.net.ssl.SSLSocket",
          "java.net.http.",
          "java.util.concurrent.CompletableFuture");

  private Families() {}

  static boolean isOne(String owner) {
    return PREFIXES.stream().anyMatch(owner::startsWith);
  }
}
