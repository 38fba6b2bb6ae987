package dev.heldcall.config;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration cannot be used; the message is one line for each problem. */
public final class SettingsException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<SettingsProblem> problems;

  /** What is wrong, one or more things. */
  public SettingsException(List<SettingsProblem> problems) {
    super(problems.stream().map(SettingsProblem::line).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Every problem found, in the order of the configuration's keys. */
  public List<SettingsProblem> problems() {
    return problems;
  }
}
