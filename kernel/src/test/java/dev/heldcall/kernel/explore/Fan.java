package dev.heldcall.kernel.explore;

import java.util.function.Supplier;

/** The moves out of one situation, each made as it is named. */
final class Fan {

  /** Somebody's choice, or a fault: nothing that the system owes. */
  static final int FAULT = -1;

  static final int REPORT = 0;
  static final int TICK = 2;
  static final int TOOL = 4;
  static final int TIME = 9;

  /** Takes a move. */
  interface Taker {
    void take(String name, int rank, Situation after);
  }

  private final Taker taker;
  private String name = "";

  Fan(Taker taker) {
    this.taker = taker;
  }

  /** The move being made. */
  String name() {
    return name;
  }

  /** Names what is tried next. */
  void at(String next) {
    name = next;
  }

  /** Makes a move; a rank below zero says that nobody owes it, else lower ranks come first. */
  void edge(String next, int rank, Supplier<Situation> make) {
    name = next;
    taker.take(next, rank, make.get());
  }
}
