package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.entity.HeldCallRuntime;
import dev.heldcall.kernel.readside.ReadSideWriter;
import java.util.concurrent.CompletionStage;

/** The read side as calls write to it. */
record EntityReadSide(ReadSideWriter writer) implements HeldCallRuntime.ReadSide {

  @Override
  public void changed(HeldCallFacts facts, long sequence) {
    writer.changed(facts, sequence);
  }

  @Override
  public CompletionStage<?> write(HeldCallFacts facts, long sequence) {
    return writer.write(facts, sequence);
  }
}
