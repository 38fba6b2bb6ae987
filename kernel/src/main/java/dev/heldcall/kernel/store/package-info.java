/**
 * The database: opening it, its schema, its durability, and the configuration by which the journal
 * reaches it. Read {@link dev.heldcall.kernel.store.Store} first; how an acknowledged commit of the
 * embedded database outlives a power cut is told in {@link dev.heldcall.kernel.store.RedoLog}.
 *
 * <p>It imports JDBC, HikariCP, H2 and Typesafe Config; no Pekko class.
 */
@NullMarked
package dev.heldcall.kernel.store;

import org.jspecify.annotations.NullMarked;
