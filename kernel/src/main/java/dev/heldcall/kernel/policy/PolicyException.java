package dev.heldcall.kernel.policy;

import java.util.List;
import java.util.stream.Collectors;

/** A document or the tool registry that cannot be used; the message is one line a problem. */
public final class PolicyException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient String where;
  private final transient List<PolicyProblem> problems;

  PolicyException(String where, List<PolicyProblem> problems) {
    super(
        problems.stream()
            .map(problem -> where + " " + problem.pointer() + ": " + problem.message())
            .collect(Collectors.joining("\n")));
    this.where = where;
    this.problems = List.copyOf(problems);
  }

  /** Which part: {@code floor}, {@code organization} or {@code tools}. */
  public String where() {
    return where;
  }

  /** What is wrong with it; at least one. */
  public List<PolicyProblem> problems() {
    return problems;
  }
}
