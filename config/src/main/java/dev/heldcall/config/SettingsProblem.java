package dev.heldcall.config;

/**
 * One thing wrong with the configuration.
 *
 * @param key the key's whole path
 * @param place {@code file:line}, or what else set it
 * @param expected what would have been right
 * @param found what is there
 */
public record SettingsProblem(String key, String place, String expected, String found) {

  /** The line shown to the operator. */
  public String line() {
    return key + " (" + place + "): expected " + expected + ", found " + found;
  }
}
