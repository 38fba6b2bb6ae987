/**
 * Facts about a git repository on this node's disk, as a witness: a commit is an ancestor of a
 * branch, is signed by an allowed key, leaves paths unchanged. Read {@link
 * dev.heldcall.witness.git.CommitExaminer} first. JGit does the reading; nothing here starts a git
 * program, and no path or ref that a call names is ever opened as a file.
 */
@NullMarked
package dev.heldcall.witness.git;

import org.jspecify.annotations.NullMarked;
