package dev.heldcall.gateway.crash;

import java.util.Map;
import java.util.TreeMap;

/**
 * Points that no story reaches, each with why, and those that only some do. One of the former that
 * is reached fails the test.
 */
final class Unreachable {

  private static final Map<String, String> SITES = new TreeMap<>();
  private static final Map<String, String> BY_CHANCE = new TreeMap<>();

  static {
    SITES.put(
        "FirstConnection.closeEmbedded/execute",
        "the start fails by itself there: a schema that this release does not know");
    SITES.put(
        "ExchangeRun.exchanged/read",
        "a tool that ends the connection before it has the whole request");
    SITES.put("Founding.onLook/tell#2", "a node that is not its cluster's first seed");
    SITES.put(
        "HeldCallEntity.onRecovered/tell",
        "a call that is restarted in the moment in which it leaves memory");
    SITES.put(
        "HeldCallEntity.turn/tell",
        "a decision that would break an invariant: a defect, of which nothing is written");
    SITES.put("JournalTable.delete/executeUpdate", "nothing deletes events");
    SITES.put(
        "PolicyBookEntity.change/reply",
        "the same change made twice: its read-back, which comes before a second one, would have to"
            + " miss it");
    SITES.put(
        "PolicyBookEntity.change/reply#2",
        "a base that is no longer current is refused at the lease; here only if another change comes"
            + " between lease and dispatch");
    SITES.put(
        "PolicyBookEntity.change/reply#3",
        "a document that does not load is refused when it is proposed");
    SITES.put(
        "PolicyBookEntity.commandHandler/tell", "a book leaves memory after two idle minutes");
    SITES.put(
        "SessionEntity.commandHandler/tell", "a session leaves memory after two idle minutes");
    SITES.put(
        "ReadSideWriter.write/write#3", "a group that the database refuses for one call's sake");
    SITES.put("SessionEntity.link/reply#4", "a session of 10,000 calls with edges");
    SITES.put(
        "ReadSideWriter.write/write#3",
        "a group of calls that the read side refuses: its calls are written one by one");
    SITES.put("RouteSweeperActor.behavior/tell", "two hundred routes that are due at once");
    SITES.put("SweeperActor.looking/tell", "five hundred calls that are due in one slice at once");
  }

  static {
    BY_CHANCE.put(
        "AskedAgain.again/complete",
        "an answer that takes five seconds, or whose question was lost");
    BY_CHANCE.put(
        "RedoLog.apply/truncate",
        "H2 shrinks its file as it closes, if that is over before its time for it is");
    BY_CHANCE.put(
        "JournalTail.store/executeUpdate", "a minute after the stretch of the journal was written");
    BY_CHANCE.put(
        "JournalTail.store/inTransaction", "a minute after the stretch of the journal was written");
  }

  private Unreachable() {}

  /** The sites, and why they are not reached. */
  static Map<String, String> sites() {
    return SITES;
  }

  /** Sites that have rows and are reached by some stories, and why not by all. */
  static Map<String, String> byChance() {
    return BY_CHANCE;
  }
}
