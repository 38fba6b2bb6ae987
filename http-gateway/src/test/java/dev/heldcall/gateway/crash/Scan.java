package dev.heldcall.gateway.crash;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the sites in the product's compiled classes, and what looks like one and is none. */
final class Scan {

  /**
   * A call of a library that a site may be made with, matched by no pattern.
   *
   * @param call the class and method called
   * @param where the class and method that call it
   */
  record Other(String call, String where) {}

  private record Found(SitePattern pattern, String base, String method, int call, int line) {}

  private final ProductClasses classes;
  private final List<Site> sites = new ArrayList<>();
  private final List<Other> others = new ArrayList<>();
  private final List<String> references = new ArrayList<>();

  private Scan(ProductClasses classes) {
    this.classes = classes;
  }

  /** Scans all of the product's classes. */
  static Scan of(ProductClasses classes) {
    Scan scan = new Scan(classes);
    classes.all().values().forEach(scan::scan);
    scan.sites.sort(Comparator.comparing(Site::id));
    return scan;
  }

  /** Every site, in the order of their ids. */
  List<Site> sites() {
    return sites;
  }

  /** Calls of the libraries that no pattern matches. */
  List<Other> others() {
    return others;
  }

  /** Method references to what is a site when called: those cannot be woven. */
  List<String> references() {
    return references;
  }

  private void scan(ClassModel model) {
    String name = ProductClasses.nameOf(model);
    if (classes.isOutside(name)) {
      return;
    }
    List<Found> found = new ArrayList<>();
    for (MethodModel method : model.methods()) {
      if (!method.flags().has(AccessFlag.BRIDGE)) {
        method.code().ifPresent(code -> scan(name, method, code, found));
      }
    }
    number(name, found);
  }

  private void scan(String name, MethodModel method, CodeModel code, List<Found> found) {
    String key = method.methodName().stringValue() + method.methodType().stringValue();
    String readable = ProductClasses.simple(name) + "." + readable(method);
    SitePatterns.ofMethod(name, method.methodName().stringValue())
        .ifPresent(pattern -> found.add(new Found(pattern, readable, key, -1, firstLine(code))));
    int line = 0;
    int call = 0;
    for (CodeElement element : code) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case InvokeInstruction invoke -> {
          String owner =
              classes.foreignOwner(invoke.owner().asSymbol(), invoke.name().stringValue());
          String called = invoke.name().stringValue();
          Optional<SitePattern> pattern = SitePatterns.ofCall(name, owner, called);
          if (pattern.isPresent()) {
            found.add(new Found(pattern.get(), readable + "/" + called, key, call, line));
          } else if (Families.isOne(owner)) {
            others.add(new Other(owner + "." + called, readable));
          }
          call++;
        }
        case InvokeDynamicInstruction dynamic -> references(name, readable, dynamic);
        default -> {}
      }
    }
  }

  private void references(String name, String readable, InvokeDynamicInstruction dynamic) {
    for (var argument : dynamic.bootstrapArgs()) {
      if (argument instanceof DirectMethodHandleDesc handle) {
        ClassDesc on = handle.owner();
        String owner = classes.foreignOwner(on, handle.methodName());
        if (SitePatterns.ofCall(name, owner, handle.methodName()).isPresent()) {
          references.add(readable + " refers to " + owner + "::" + handle.methodName());
        } else if (Families.isOne(owner)) {
          others.add(new Other(owner + "." + handle.methodName(), readable));
        }
      }
    }
  }

  /** Sites of one class that would have the same id are numbered in the order of the source. */
  private void number(String name, List<Found> found) {
    found.sort(Comparator.comparingInt(Found::line).thenComparing(Found::method));
    Map<String, Integer> counts = new HashMap<>();
    for (Found each : found) {
      int number = counts.merge(each.base(), 1, Integer::sum);
      String id = number == 1 ? each.base() : each.base() + "#" + number;
      sites.add(new Site(id, each.pattern(), name, each.method(), each.call()));
    }
  }

  private static int firstLine(CodeModel code) {
    return code.findAttribute(Attributes.lineNumberTable())
        .map(table -> table.lineNumbers().getFirst().lineNumber())
        .orElse(0);
  }

  /** A method's name as the source has it: a lambda is part of the method that it stands in. */
  static String readable(MethodModel method) {
    String name = method.methodName().stringValue();
    if (name.startsWith("lambda$")) {
      String in = name.substring("lambda$".length());
      String around = in.substring(0, in.indexOf('$'));
      return around.isEmpty() ? "static" : around;
    }
    return switch (name) {
      case "<init>" -> "new";
      case "<clinit>" -> "static";
      default -> name;
    };
  }
}
