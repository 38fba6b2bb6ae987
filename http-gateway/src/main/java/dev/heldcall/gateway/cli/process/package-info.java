/** Nodes as child processes, for the commands that need one to kill or to measure. */
@NullMarked
package dev.heldcall.gateway.cli.process;

import org.jspecify.annotations.NullMarked;
