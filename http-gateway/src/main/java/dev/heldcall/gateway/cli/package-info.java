/**
 * The command line: one class a command. It speaks to a node over HTTP and starts one as a process;
 * only the {@code up} and {@code node} commands run one in this process.
 */
@NullMarked
package dev.heldcall.gateway.cli;

import org.jspecify.annotations.NullMarked;
