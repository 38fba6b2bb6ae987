package dev.heldcall.gateway.crash;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in a word or two what a site is about to do with its argument. */
final class Details {

  private Details() {}

  static String of(@Nullable Object what) {
    return switch (what) {
      case null -> "";
      case Collection<?> all -> all.stream().map(Details::name).collect(Collectors.joining(" "));
      // an actor's name: what it is for stands before its ids
      case String name -> name.split("-", 2)[0];
      default -> name(what);
    };
  }

  private static String name(Object what) {
    Class<?> type = what.getClass();
    if (type.isHidden() || type.isSynthetic() || type.getSimpleName().isEmpty()) {
      return "";
    }
    return type.getName().startsWith("dev.heldcall.") ? type.getSimpleName() : "";
  }
}
