/**
 * What a database says, as a witness: one configured query with parameters from the call, read and
 * never written. Read {@link dev.heldcall.witness.database.ReadOnlyQuery} first; {@link
 * dev.heldcall.witness.database.SqlText} says which queries are taken at all.
 */
@NullMarked
package dev.heldcall.witness.database;

import org.jspecify.annotations.NullMarked;
