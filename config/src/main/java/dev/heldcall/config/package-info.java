/**
 * Typed configuration: the settings records and the reader that makes them from HOCON. Read {@link
 * dev.heldcall.config.SettingsReader} first, then {@link dev.heldcall.config.HeldcallSettings}.
 *
 * <p>To add a setting: a component of its record, one line where the record is read ({@code
 * SettingsSections}), and its default in {@code reference.conf}. It imports the shared vocabulary,
 * Typesafe Config and the Jackson tree; no Pekko, no JDBC.
 */
@NullMarked
package dev.heldcall.config;

import org.jspecify.annotations.NullMarked;
