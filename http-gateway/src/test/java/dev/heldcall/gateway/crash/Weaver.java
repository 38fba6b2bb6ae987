package dev.heldcall.gateway.crash;

import dev.heldcall.gateway.crash.SitePattern.Shape;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;

/** Puts a call of {@link CrashPoints} at each site of a class. */
final class Weaver {

  private static final ClassDesc POINTS = ClassDesc.of(CrashPoints.class.getName());
  private static final ClassDesc CALLBACKS = ClassDesc.of(Callbacks.class.getName());

  /** What makes a callback of each type one with points. */
  private static final Map<String, String> AROUND =
      Map.of("Procedure", "procedure", "Function", "function", "EventHandler", "handler");

  private static final ClassDesc STRING = ConstantDescs.CD_String;
  private static final ClassDesc HANDLER = ClassDesc.of(EventHandler.class.getName());
  private static final MethodTypeDesc HIT = MethodTypeDesc.of(ConstantDescs.CD_void, STRING);
  private static final MethodTypeDesc HIT_WITH =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, STRING);

  private final ClassFile classFile =
      ClassFile.of(
          ClassFile.ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.ofResourceParsing(Weaver.class.getClassLoader()).cached()));
  private final Map<String, Map<String, Site>> sites = new HashMap<>();
  private final Set<String> woven = new HashSet<>();

  Weaver(List<Site> all) {
    for (Site site : all) {
      sites.computeIfAbsent(site.inClass(), name -> new HashMap<>()).put(place(site), site);
    }
  }

  private static String place(Site site) {
    return place(site.method(), site.call());
  }

  private static String place(String method, int call) {
    return method + "@" + call;
  }

  /** The points that were put into the classes so far. */
  Set<String> woven() {
    return woven;
  }

  /** Whether the class has sites. */
  boolean has(String name) {
    return sites.containsKey(name);
  }

  /** The class with its points. */
  byte[] weave(ClassModel model) {
    Map<String, Site> own = sites.getOrDefault(ProductClasses.nameOf(model), Map.of());
    return classFile.transformClass(
        model,
        (builder, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            builder.transformMethod(
                method,
                (inMethod, part) -> {
                  if (part instanceof CodeModel code) {
                    inMethod.transformCode(code, new Points(own, key(method)));
                  } else {
                    inMethod.with(part);
                  }
                });
          } else {
            builder.with(element);
          }
        });
  }

  private static String key(MethodModel method) {
    return method.methodName().stringValue() + method.methodType().stringValue();
  }

  /** The transform of one method; it counts the method's calls as the scan does. */
  private final class Points implements CodeTransform {

    private final Map<String, Site> own;
    private final String method;
    private int call;

    Points(Map<String, Site> own, String method) {
      this.own = own;
      this.method = method;
    }

    @Override
    public void atStart(CodeBuilder code) {
      Site whole = own.get(place(method, -1));
      if (whole != null && whole.pattern().shape() == Shape.METHOD) {
        hit(code, point(whole, 0));
      }
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      Site whole = own.get(place(method, -1));
      if (element instanceof ReturnInstruction && whole != null) {
        if (whole.pattern().shape() == Shape.METHOD) {
          hit(code, point(whole, 1));
        } else {
          wrap(code, HANDLER, whole);
        }
      }
      if (element instanceof InvokeInstruction) {
        Site site = own.get(place(method, call));
        call++;
        if (site != null) {
          around(code, element, site);
          return;
        }
      }
      code.with(element);
    }

    private void around(CodeBuilder code, CodeElement element, Site site) {
      Shape shape = site.pattern().shape();
      switch (shape) {
        case AROUND -> hit(code, point(site, 0));
        case AROUND_DETAILED, BEFORE_DETAILED ->
            code.dup().loadConstant(point(site, 0)).invokestatic(POINTS, "hit", HIT_WITH);
        // the last argument is the callback
        case CALLBACK ->
            wrap(code, ((InvokeInstruction) element).typeSymbol().parameterList().getLast(), site);
        case METHOD, HANDLER -> throw new IllegalStateException("a method is no call: " + site);
      }
      code.with(element);
      if (shape == Shape.AROUND) {
        hit(code, point(site, 1));
      } else if (shape == Shape.AROUND_DETAILED) {
        code.loadConstant(point(site, 1)).invokestatic(POINTS, "again", HIT);
      }
    }

    /** In place of the callback on the stack there is one around it. */
    private void wrap(CodeBuilder code, ClassDesc callback, Site site) {
      code.loadConstant(point(site, 0))
          .loadConstant(point(site, 1))
          .invokestatic(
              CALLBACKS,
              AROUND.get(callback.displayName()),
              MethodTypeDesc.of(callback, callback, STRING, STRING));
    }

    private String point(Site site, int number) {
      String point = site.points().get(number);
      woven.add(point);
      return point;
    }

    private static void hit(CodeBuilder code, String point) {
      code.loadConstant(point).invokestatic(POINTS, "hit", HIT);
    }
  }
}
