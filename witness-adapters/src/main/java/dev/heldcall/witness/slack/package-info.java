/**
 * People in Slack who are asked by a message with buttons. Read {@link
 * dev.heldcall.witness.slack.RequestMessage} (what they see) and {@link
 * dev.heldcall.witness.slack.SlackClicks} (what comes of a click) first; that a message goes out
 * once is {@link dev.heldcall.witness.slack.SlackRecovery}'s.
 */
@NullMarked
package dev.heldcall.witness.slack;

import org.jspecify.annotations.NullMarked;
