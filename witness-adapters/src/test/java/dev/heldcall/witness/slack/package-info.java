/** Tests of people in Slack, against a workspace that keeps messages and answers as Slack does. */
@NullMarked
package dev.heldcall.witness.slack;

import org.jspecify.annotations.NullMarked;
