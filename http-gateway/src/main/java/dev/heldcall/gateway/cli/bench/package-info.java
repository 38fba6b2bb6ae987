/**
 * The benchmarks: they start the product as shipped, as a process of its own, and speak to it over
 * HTTP. {@link dev.heldcall.gateway.cli.bench.CycleBench} measures full cycles, {@link
 * dev.heldcall.gateway.cli.bench.ParkBench} what a waiting call costs. The client and the tool are
 * as cheap as they can be, for they share the machine with what is measured.
 */
@NullMarked
package dev.heldcall.gateway.cli.bench;

import org.jspecify.annotations.NullMarked;
