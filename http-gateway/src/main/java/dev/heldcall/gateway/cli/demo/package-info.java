/**
 * The demo: the money_transfer story against a real node and a small bank, every claim checked.
 *
 * <p>Read {@link dev.heldcall.gateway.cli.demo.DemoStory} first. The node is a child process and is
 * spoken to over HTTP alone: nothing here may import the kernel or the gateway's routes.
 */
@NullMarked
package dev.heldcall.gateway.cli.demo;

import org.jspecify.annotations.NullMarked;
