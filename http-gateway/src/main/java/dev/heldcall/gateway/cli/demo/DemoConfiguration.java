package dev.heldcall.gateway.cli.demo;

import java.net.URI;

/**
 * What the demo's node is configured with, over the dev profile: the dev tools, at its own bank.
 */
final class DemoConfiguration {

  private DemoConfiguration() {}

  /** The HOCON text for a bank at {@code bank}; policy and tokens stay the dev profile's. */
  static String text(URI bank) {
    return """
    heldcall.tools {
      money_transfer {
        executor   = http
        url        = "%1$s/transfers"
        capability = "payments.write"
        timeout    = 10s
        idempotent = false
        read-back  { url = "%1$s/transfers/{idempotency_key}" }
        schema {
          type = object
          required = [from, to, amount_minor, currency]
          additionalProperties = false
          properties {
            from { type = string }, to { type = string }, currency { type = string }
            amount_minor { type = integer, minimum = 1 }
          }
        }
      }
      note_write {
        executor   = http
        url        = "%1$s/notes"
        capability = "notes.write"
        timeout    = 10s
      }
    }
    # The demo may be a machine's first minute with Heldcall: be patient with a slow one.
    heldcall.effect.dispatch-window = 5s
    """
        .formatted(bank);
  }
}
