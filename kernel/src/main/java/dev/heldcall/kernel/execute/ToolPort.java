package dev.heldcall.kernel.execute;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import java.util.concurrent.CompletionStage;

/** The way to whoever runs tools of one kind. */
public interface ToolPort {

  /**
   * Runs the tool, at most once, if the dispatch window of the lease is still open (the design,
   * rule 2). Whatever happens is in the report: an expected failure never fails the stage, and a
   * stage that fails means that nobody knows what came of it.
   */
  CompletionStage<DispatchReport> dispatch(DispatchOrder order);

  /** Asks what came of a dispatch. It changes nothing and may be repeated. */
  CompletionStage<ReadBackReport> readBack(DispatchOrder order);
}
