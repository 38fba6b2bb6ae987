/**
 * The vocabulary that the kernel, the gateway and every plugin share: calls, verdicts, contracts,
 * witness rules, attestations, principals and digests. Read {@link
 * dev.heldcall.plugin.api.WitnessRule} and {@link dev.heldcall.plugin.api.Contract} first.
 *
 * <p>It imports the JDK, the Jackson tree and JSpecify only.
 */
@NullMarked
package dev.heldcall.plugin.api;

import org.jspecify.annotations.NullMarked;
