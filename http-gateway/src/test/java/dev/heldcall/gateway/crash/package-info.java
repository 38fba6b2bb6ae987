/**
 * The product dies at every point where that could matter, and is started again.
 *
 * <p>The product itself has no failpoints. {@link dev.heldcall.gateway.crash.SitePatterns} says
 * which calls are sites: whatever persists, reaches a tool, starts a child, answers, or moves the
 * read side. {@link dev.heldcall.gateway.crash.Scan} finds them in the compiled classes, {@link
 * dev.heldcall.gateway.crash.WovenProduct} makes a copy of the product with a call of {@link
 * dev.heldcall.gateway.crash.CrashPoints} at each, and {@link dev.heldcall.gateway.crash.CrashRun}
 * tells a story of calls to that copy, halts it at one point after the other, starts it again, lets
 * the story end, and holds what it sees against what was answered. The table of points is
 * docs/crash-points.md.
 */
@NullMarked
package dev.heldcall.gateway.crash;

import org.jspecify.annotations.NullMarked;
