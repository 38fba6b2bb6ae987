package dev.heldcall.kernel.explore;

/** What a scenario lets happen beside the call's plain course. */
enum Feature {
  /** Witnesses may deny. */
  DENY,
  /** Witnesses may take back what they said. */
  REVOKE,
  /** The proposer may make a second generation. */
  EDIT,
  /** The proposer may cancel. */
  CANCEL,
  /** The process may die, and with it all that is not in the journal. */
  CRASH,
  /** A process believed dead may still send what it had a fresh lease for. */
  ZOMBIE,
  /** A command that waits for a policy read may be overtaken by others. */
  HELD_BACK,
  /** Policy may be unreachable. */
  POLICY_OUTAGE,
  /** The policy may be read by a node whose floor is not the one that the cluster adopted. */
  OTHER_FLOOR,
  /** The tool may fail a call, which is a result. */
  FAILURE,
  /** A dispatch may be refused before a byte was sent. */
  REFUSED_CONNECTION,
  /** The tool may take a request and not answer; its effect may come until the lease settles. */
  SILENCE,
  /** A read-back may be unable to tell. */
  CANNOT_TELL,
  /** The tool may have its effect after the lease settled: nothing proves anything any more. */
  SLOW_TOOL,
  /** Reports outlive the process that made them. */
  LATE_REPORTS,
  /** A report may be told again, at any later time. */
  DOUBLED_REPORTS,
  /** Evidence that must count for nothing, and commands that must be refused, are tried. */
  HOSTILE,
  /** The call depends on another one, and gets a child. */
  RELATIVES
}
