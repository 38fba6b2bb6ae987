/**
 * The demo's bank: a small tool server that runs only what carries a permit of a Heldcall node, and
 * counts every effect it makes.
 *
 * <p>Read {@link dev.heldcall.gateway.cli.bank.Bank} first. It is written as the owner of a tool
 * would write one, against the HTTP contract alone: nothing here may import the kernel or the
 * gateway's other packages.
 */
@NullMarked
package dev.heldcall.gateway.cli.bank;

import org.jspecify.annotations.NullMarked;
