package dev.heldcall.kernel.explore;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method's code with an edit made; it counts how often it found what to change. */
final class EditedCode implements CodeTransform {

  private final Edit edit;
  private int seen;
  private int hits;
  private boolean testFollows;

  EditedCode(Edit edit) {
    this.edit = edit;
  }

  int hits() {
    return hits;
  }

  @Override
  public void accept(CodeBuilder builder, CodeElement element) {
    switch (edit) {
      case Edit.Answers answers ->
          throw new IllegalStateException("it replaces the body: " + answers);
      case Edit.Believes(String callee, int nth, Object value) -> {
        builder.with(element);
        if (element instanceof InvokeInstruction call && counts(call, callee, nth)) {
          replaced(builder, call.typeSymbol().returnType(), value);
        } else if (element instanceof FieldInstruction read
            && read.opcode() == Opcode.GETFIELD
            && read.name().equalsString(callee)) {
          replaced(builder, read.typeSymbol(), value);
        }
      }
      case Edit.Omits(String callee) -> {
        if (element instanceof InvokeInstruction call && counts(call, callee, 0)) {
          hits++;
          omit(builder, call);
        } else {
          builder.with(element);
        }
      }
      case Edit.Tests(String callee, int nth, boolean jumps) -> {
        if (testFollows && element instanceof BranchInstruction branch && operands(branch) > 0) {
          testFollows = false;
          decide(builder, branch, jumps);
        } else {
          builder.with(element);
          testFollows |= element instanceof InvokeInstruction call && counts(call, callee, nth);
        }
      }
    }
  }

  private boolean counts(InvokeInstruction call, String callee, int nth) {
    if (!call.name().equalsString(callee)) {
      return false;
    }
    seen++;
    return nth == 0 || seen == nth;
  }

  private void replaced(CodeBuilder builder, ClassDesc type, @Nullable Object value) {
    hits++;
    pop(builder, TypeKind.from(type));
    constant(builder, value);
  }

  private void decide(CodeBuilder builder, BranchInstruction branch, boolean jumps) {
    hits++;
    for (int i = 0; i < operands(branch); i++) {
      builder.pop();
    }
    if (jumps) {
      builder.goto_(branch.target());
    }
  }

  private static void omit(CodeBuilder builder, InvokeInstruction call) {
    List<ClassDesc> parameters = call.typeSymbol().parameterList();
    for (ClassDesc each : parameters.reversed()) {
      pop(builder, TypeKind.from(each));
    }
    if (call.opcode() != Opcode.INVOKESTATIC) {
      builder.pop();
    }
    if (!call.typeSymbol().returnType().equals(ConstantDescs.CD_void)) {
      builder.aconst_null();
    }
  }

  private static void pop(CodeBuilder builder, TypeKind kind) {
    if (kind.slotSize() == 2) {
      builder.pop2();
    } else {
      builder.pop();
    }
  }

  /** Pushes a constant. */
  static void constant(CodeBuilder builder, @Nullable Object value) {
    switch (value) {
      case null -> builder.aconst_null();
      case Boolean truth -> builder.loadConstant(truth ? 1 : 0);
      case Integer number -> builder.loadConstant(number);
      default ->
          builder.invokestatic(
              ConstantDescs.CD_List, "of", MethodTypeDesc.of(ConstantDescs.CD_List), true);
    }
  }

  private static int operands(BranchInstruction branch) {
    return switch (branch.opcode()) {
      case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE, IFNULL, IFNONNULL -> 1;
      case IF_ICMPEQ, IF_ICMPNE, IF_ICMPLT, IF_ICMPGE, IF_ICMPGT, IF_ICMPLE, IF_ACMPEQ, IF_ACMPNE ->
          2;
      default -> 0;
    };
  }
}
