/**
 * The compatibility kit: what every plugin of a stage is held to. A provider's test extends {@link
 * dev.heldcall.plugin.api.tck.WitnessProviderKit} and says how its other side is made to behave.
 */
@NullMarked
package dev.heldcall.plugin.api.tck;

import org.jspecify.annotations.NullMarked;
