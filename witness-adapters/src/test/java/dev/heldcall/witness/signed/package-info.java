/** The provider against a service that signs with real keys. */
@NullMarked
package dev.heldcall.witness.signed;

import org.jspecify.annotations.NullMarked;
