package dev.heldcall.kernel.simulate;

/** A bug that is planted by hand, to show that the simulation finds such a thing. */
enum Plant {
  NO_FENCE("the journal takes a write whose sequence number is taken"),
  WINDOW_FROM_NOW("window and deadline are measured from when the executor starts"),
  ANSWER_BEFORE_WRITE("a client is answered before the journal has what it is told"),
  DISPATCH_BEFORE_WRITE("the tool is called before its lease is in the journal"),
  DISPATCH_AFTER_RECOVERY("a lease found in the journal is dispatched as if it were new"),
  BLIND_RETRY("no answer is taken for no effect"),
  NO_EFFECT_TOO_EARLY("a read-back's no effect counts whenever it was asked"),
  EVIDENCE_KEPT_OVER_EDIT("an edit takes the old approvals along"),
  POLICY_FROM_MEMORY("a lease is granted under the policy that the node remembers"),
  READ_BEFORE_READY("a lease rests on a policy read that began before the call became ready"),
  HELD_BACK_ON_OLD_FACTS("a held-back command is decided on the facts it came to"),
  ACKNOWLEDGED_BEFORE_WRITE("a delivery is marked acknowledged before the journal says so"),
  DELIVERY_IN_NODE_TIME("what is delivered depends on when it is offered"),
  RECOVERY_LOSES_THE_LAST_EVENT("recovery reads all events but the last"),
  STALE_WHILE_ASKED("an incarnation that is asked now and then never reads the journal anew"),
  CLIENT_LEASE_RUNS_HERE("a client's lease counts as work of the incarnation that granted it"),
  NEVER_WOKEN("nobody wakes a call whose time has come"),
  OFFER_ONCE("a conclusion is offered to the mailbox once, also if that fails"),
  NO_GRAPH("links are not held against the session's graph");

  final String text;

  Plant(String text) {
    this.text = text;
  }
}
