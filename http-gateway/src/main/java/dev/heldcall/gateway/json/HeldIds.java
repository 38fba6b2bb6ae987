package dev.heldcall.gateway.json;

import java.util.regex.Pattern;

/** The spelling of held ids (the design, rule 16). */
public final class HeldIds {

  private static final Pattern FORM = Pattern.compile("hc_[a-z2-7]{52}");

  private HeldIds() {}

  /** Whether a call could have this id; what could not is never asked for. */
  public static boolean isWellFormed(String text) {
    return FORM.matcher(text).matches();
  }
}
