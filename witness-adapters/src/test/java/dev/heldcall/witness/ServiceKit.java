package dev.heldcall.witness;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.tck.WitnessProviderKit;
import org.junit.jupiter.api.AfterEach;

/** The compatibility kit on a provider whose other side is a service that speaks HTTP. */
public abstract class ServiceKit extends WitnessProviderKit {

  protected final Counterpart service = Counterpart.start();

  @AfterEach
  void closeService() {
    service.close();
  }

  @Override
  protected JsonNode args() {
    return FactRequests.json("{'to':'acct-2','amount_minor':125000}");
  }

  /**
   * One whose service answers later, by itself: of what it says when it is asked nothing is read.
   */
  public abstract static class AnswersLater extends ServiceKit {

    @Override
    protected boolean answersAtOnce() {
      return false;
    }

    @Override
    protected boolean readsAnswers() {
      return false;
    }
  }
}
