package dev.heldcall.kernel.simulate;

/**
 * What can go wrong, or against expectation, in a simulation; each strike is counted.
 *
 * <p>The number is how often out of a thousand chances it strikes at a seed's ordinary intensity; 0
 * for what a seed's plan or the course of events brings about.
 */
enum Fault {
  MESSAGE_LOST("a message is lost", 25),
  MESSAGE_DELAYED("a message takes up to six seconds", 25),
  MESSAGE_DOUBLED("a message comes twice", 25),
  MESSAGE_REORDERED("a message is overtaken", 0),
  PARTITION("the nodes are parted into two sides", 0),
  TWO_INCARNATIONS("a call lives on two nodes at once", 0),
  NODE_CRASHED("a node's process dies", 0),
  NODE_PAUSED("a node is paused past its leases", 45),
  NODE_STALLED("a node is paused for less than a lease", 0),
  CLOCK_JUMPED("a node's clock jumps", 0),
  CALL_MOVED("a call is handed to another node", 0),
  CALL_LEFT_MEMORY("a call without work leaves memory", 0),
  WRITE_SLOW("a journal write takes seconds", 20),
  WRITE_FAILED("a journal write fails and was not made", 12),
  WRITE_ANSWER_LOST("a journal write is made and reported as failed", 12),
  WRITE_LATE("a journal write is made after it was reported as failed", 12),
  WRITE_CONFLICT("a journal write meets a sequence number that is taken", 0),
  RECOVERY_FAILED("a call's journal cannot be read", 15),
  POLICY_CHANGED("another policy is in force while calls wait", 0),
  POLICY_READ_FAILED("the policy cannot be read", 30),
  POLICY_READ_SLOW("a policy's read takes seconds", 30),
  FLOOR_DISAGREES("a node has another floor than the cluster", 15),
  TOOL_REFUSES_CONNECTION("a tool refuses the connection", 70),
  TOOL_FAILS("a tool answers that it failed", 70),
  TOOL_SILENT("a tool has no effect and does not answer", 90),
  TOOL_SLOW("a tool has its effect after the answer was given up", 90),
  TOOL_ANSWER_LOST("a tool has its effect and its answer is lost", 110),
  TOOL_ANSWER_QUARANTINED("a tool's answer is off its schema", 400),
  REQUEST_VERY_LATE("a request reaches a guarded tool long after its lease", 90),
  READ_BACK_CANNOT_TELL("a read-back cannot tell", 150),
  READ_BACK_SILENT("a read-back is not answered", 120),
  MAILBOX_FAILED("a conclusion cannot be written to the mailbox", 60),
  MAILBOX_ANSWER_LOST("a conclusion is in the mailbox and its writer is not told", 60),
  PUBLISH_FAILED("a witness request cannot be published", 80),
  ROW_LOST("a node leaves a call's row out, and it is found missing", 40),
  INDEX_LAGS("the index is seconds behind the journal", 40),
  CLIENT_CRASHED("a client forgets what it asked, and asks again", 0),
  CLIENT_RETRIED("a client had no answer and asks the same again", 0),
  WORKER_DIED("a worker dies with a lease, before or after the effect", 200),
  WORKER_LATE("a worker reports after its lease's deadline", 200),
  WITNESS_DENIED("a witness denies", 0),
  WITNESS_REVOKED("a witness takes its word back", 0),
  WITNESS_REPEATED("a witness sends the same id again", 0),
  WITNESS_CONTRADICTED("a witness sends other content under the same id", 0),
  PROPOSAL_CONTRADICTED("an agent proposes other content under the same identity", 0),
  CALL_EDITED("an agent edits its call", 0),
  CALL_CANCELLED("somebody cancels a call", 0),
  CYCLE_TRIED("calls are proposed that would wait for one another", 0);

  final String text;
  final int perMille;

  Fault(String text, int perMille) {
    this.text = text;
    this.perMille = perMille;
  }
}
