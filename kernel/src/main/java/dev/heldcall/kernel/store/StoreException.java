package dev.heldcall.kernel.store;

/**
 * The database cannot be used as it stands. The message is one line for the person who starts the
 * node: what is wrong, where, and what to do about it. It never contains a password.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StoreException(String message) {
    super(message);
  }

  StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
