/**
 * Three nodes as processes of their own, under load while one of them is killed, paused, cut off or
 * told to end; and a history that is checked afterwards. Read {@link
 * dev.heldcall.gateway.cluster.ClusterTest} first.
 */
@NullMarked
package dev.heldcall.gateway.cluster;

import org.jspecify.annotations.NullMarked;
