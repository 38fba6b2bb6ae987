package dev.heldcall.gateway.cli.demo;

import dev.heldcall.gateway.cli.bank.AnswerGate;
import dev.heldcall.gateway.cli.bank.Effect;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The worst moment, made to happen: the bank has made its effect, and keeps its answer until the
 * node that waits for it is dead.
 */
final class Crash implements AnswerGate {

  private static final long SECONDS = 60;

  private final CountDownLatch effectMade = new CountDownLatch(1);
  private final CountDownLatch nodeDead = new CountDownLatch(1);

  @Override
  public boolean mayAnswer(Effect effect) throws InterruptedException {
    effectMade.countDown();
    nodeDead.await(SECONDS, TimeUnit.SECONDS);
    return false;
  }

  /** Waits for the effect; false if none came. */
  boolean awaitEffect() {
    try {
      return effectMade.await(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void nodeIsDead() {
    nodeDead.countDown();
  }
}
