package dev.heldcall.kernel.execute;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.execute.KernelToolPort.PolicyChange;
import dev.heldcall.kernel.policy.BuiltInTools;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KernelToolPortTest {

  private final List<String> changes = new ArrayList<>();
  private CompletionStage<PolicyChange> change =
      CompletableFuture.completedStage(new PolicyChange.Applied(5));
  private CompletionStage<OptionalLong> found =
      CompletableFuture.completedStage(OptionalLong.of(5));
  private long nanos = 100;
  private final KernelToolPort port =
      new KernelToolPort(
          (org, key, base, document, heldId) -> {
            changes.add(org + " " + key + " " + base + " " + document + " " + heldId);
            return change;
          },
          (org, key) -> {
            changes.add("? " + org + " " + key);
            return found;
          },
          Duration.ofSeconds(1),
          () -> nanos);

  private static ObjectNode args() {
    ObjectNode args = JsonNodeFactory.instance.objectNode().put("base_epoch", 7);
    args.putObject("document").putArray("rules");
    return args;
  }

  private static DispatchOrder policyChange() {
    return Orders.order(
        ExecutorKind.KERNEL, Boundary.TOOL, BuiltInTools.POLICY_CHANGE, args(), 100);
  }

  private static DispatchOrder gate(Boundary boundary) {
    return Orders.order(ExecutorKind.KERNEL, boundary, "review", Orders.transfer(), 100);
  }

  private DispatchReport dispatch(DispatchOrder order) {
    return port.dispatch(order).toCompletableFuture().join();
  }

  private ReadBackReport readBack(DispatchOrder order) {
    return port.readBack(order).toCompletableFuture().join();
  }

  @Test
  void changesThePolicyOnTheBaseThatTheProposerSaw() {
    DispatchReport.Answered report = (DispatchReport.Answered) dispatch(policyChange());

    assertThat(changes)
        .containsExactly("acme " + Orders.HELD_ID + ".1 7 {\"rules\":[]} " + Orders.HELD_ID);
    assertThat(report.succeeded()).isTrue();
    assertThat(report.content().path("epoch").longValue()).isEqualTo(8);
    assertThat(report.contentDigest()).isEqualTo(Digests.ofCanonical(report.content()));
  }

  @Test
  void aStaleBaseFails() {
    change = CompletableFuture.completedStage(new PolicyChange.StaleBase(9));
    DispatchReport.Answered report = (DispatchReport.Answered) dispatch(policyChange());
    assertThat(report.succeeded()).isFalse();
    assertThat(report.content().path("error").textValue()).isEqualTo("stale-base");
    assertThat(report.content().path("epoch").longValue()).isEqualTo(9);
  }

  @Test
  void aBookThatDoesNotAnswerLeavesItUnknown() {
    change = CompletableFuture.failedStage(new IllegalStateException("no answer"));
    assertThat(dispatch(policyChange())).isInstanceOf(DispatchReport.Unknown.class);
  }

  @Test
  void theReadBackShowsTheSameContentAsTheDispatch() {
    DispatchReport.Answered report = (DispatchReport.Answered) dispatch(policyChange());
    ReadBackReport.Effect effect = (ReadBackReport.Effect) readBack(policyChange());
    assertThat(effect.content()).isEqualTo(report.content());
    assertThat(effect.contentDigest()).isEqualTo(report.contentDigest());
    assertThat(changes.getLast()).isEqualTo("? acme " + Orders.HELD_ID + ".1");

    found = CompletableFuture.completedStage(OptionalLong.empty());
    assertThat(readBack(policyChange())).isEqualTo(new ReadBackReport.NoEffect());
    found = CompletableFuture.failedStage(new IllegalStateException("no answer"));
    assertThat(readBack(policyChange())).isInstanceOf(ReadBackReport.CannotTell.class);
  }

  @ParameterizedTest
  @EnumSource(value = Boundary.class, names = "TOOL", mode = EnumSource.Mode.EXCLUDE)
  void aGateReleasesItsContentUnchanged(Boundary boundary) {
    JsonNode args = Orders.transfer();
    DispatchReport.Answered report = (DispatchReport.Answered) dispatch(gate(boundary));
    assertThat(report.succeeded()).isTrue();
    assertThat(report.content()).isEqualTo(args);
    assertThat(report.contentDigest()).isEqualTo(Digests.ofCanonical(args));
    ReadBackReport.Effect effect = (ReadBackReport.Effect) readBack(gate(boundary));
    assertThat(effect.content()).isEqualTo(args);
    assertThat(changes).isEmpty();
  }

  @Test
  void nothingHappensOnceTheWindowPassed() {
    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(dispatch(policyChange())).isInstanceOf(DispatchReport.NoEffect.class);
    assertThat(dispatch(gate(Boundary.PLAN))).isInstanceOf(DispatchReport.NoEffect.class);
    assertThat(changes).isEmpty();
  }

  @Test
  void anotherToolIsNotTheKernels() {
    DispatchOrder order =
        Orders.order(ExecutorKind.KERNEL, Boundary.TOOL, "other", Orders.transfer(), 100);
    assertThat(dispatch(order)).isInstanceOf(DispatchReport.NoEffect.class);
    assertThat(readBack(order)).isInstanceOf(ReadBackReport.CannotTell.class);
  }

  @Test
  void theLeaseSaysWhichPort() {
    ToolPorts ports = new ToolPorts(new FixedPort("http"), new FixedPort("kernel"));
    assertThat(reason(ports, ExecutorKind.HTTP)).isEqualTo("http");
    assertThat(reason(ports, ExecutorKind.KERNEL)).isEqualTo("kernel");
    for (ExecutorKind none : List.of(ExecutorKind.CLIENT, ExecutorKind.MCP)) {
      DispatchOrder order = Orders.order(none, Boundary.TOOL, "other", Orders.transfer(), 100);
      assertThat(ports.dispatch(order).toCompletableFuture().join())
          .isInstanceOf(DispatchReport.NoEffect.class);
    }
  }

  private static String reason(ToolPorts ports, ExecutorKind executor) {
    DispatchOrder order = Orders.order(executor, Boundary.TOOL, "other", Orders.transfer(), 100);
    ReadBackReport.CannotTell asked =
        (ReadBackReport.CannotTell) ports.readBack(order).toCompletableFuture().join();
    DispatchReport.Unknown sent =
        (DispatchReport.Unknown) ports.dispatch(order).toCompletableFuture().join();
    assertThat(sent.reason()).isEqualTo(asked.reason());
    return sent.reason();
  }

  private record FixedPort(String name) implements ToolPort {
    @Override
    public CompletionStage<DispatchReport> dispatch(DispatchOrder order) {
      return CompletableFuture.completedStage(new DispatchReport.Unknown(name));
    }

    @Override
    public CompletionStage<ReadBackReport> readBack(DispatchOrder order) {
      return CompletableFuture.completedStage(new ReadBackReport.CannotTell(name));
    }
  }
}
