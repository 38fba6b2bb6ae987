package dev.heldcall.plugin.api;

/** Settings that make no provider; stops the start of the node. */
public final class InvalidProviderSettings extends Exception {

  private static final long serialVersionUID = 1L;

  private final String path;
  private final String expected;

  /**
   * @param path the key at fault within the settings, such as {@code keys.0.secret}
   * @param expected what was expected there, as in "an absolute http or https URL"
   */
  public InvalidProviderSettings(String path, String expected) {
    super(path + ": expected " + expected);
    this.path = path;
    this.expected = expected;
  }

  /** The key at fault. */
  public String path() {
    return path;
  }

  /** What was expected. */
  public String expected() {
    return expected;
  }
}
