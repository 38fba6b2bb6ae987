/**
 * Tests of the whole product: a real node on a real database and a real tool's server, spoken to
 * over HTTP alone. Read {@link dev.heldcall.gateway.product.ProductTest} first.
 */
@NullMarked
package dev.heldcall.gateway.product;

import org.jspecify.annotations.NullMarked;
