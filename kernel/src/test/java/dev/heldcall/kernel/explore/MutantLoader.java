package dev.heldcall.kernel.explore;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodBuilder;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Loads the pure core and the explorer anew, with one bug planted in the core's byte code. Nothing
 * on disk changes, and what both share (vocabulary, digests, policies) is loaded once.
 */
final class MutantLoader extends ClassLoader {

  private static final Set<String> ANEW = Set.of("call", "work", "witness", "lease", "explore");
  private static final String ROOT = "dev.heldcall.kernel.";
  private static final Map<String, byte[]> ORIGINALS = new ConcurrentHashMap<>();

  private final Mutation mutation;
  private final ClassFile classFile;

  MutantLoader(Mutation mutation) {
    super(MutantLoader.class.getClassLoader());
    this.mutation = mutation;
    this.classFile =
        ClassFile.of(
            // Names of local variables would have to be moved along with the code.
            ClassFile.DebugElementsOption.DROP_DEBUG,
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(MutantLoader.class.getClassLoader())
                    .cached()));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      return loadsAnew(name) ? define(name) : super.loadClass(name, resolve);
    }
  }

  private static boolean loadsAnew(String name) {
    if (!name.startsWith(ROOT) || name.equals(CompiledPolicies.class.getName())) {
      return false;
    }
    int dot = name.indexOf('.', ROOT.length());
    return dot > 0 && ANEW.contains(name.substring(ROOT.length(), dot));
  }

  private Class<?> define(String name) {
    byte[] bytes = ORIGINALS.computeIfAbsent(name, MutantLoader::read);
    for (String method : mutation.methodsOf(name)) {
      bytes = mutated(bytes, name, method);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  /**
   * Plants the bug at all its places.
   *
   * @throws LostPlaceError if one of them is not there any more
   */
  void plant() throws ClassNotFoundException {
    for (String each : mutation.where().split(" \\+ ", -1)) {
      loadClass(ROOT + each.substring(0, each.lastIndexOf('.')));
    }
  }

  /** A bug has nowhere to be planted: the code it was meant for has changed. */
  static final class LostPlaceError extends Error {
    private static final long serialVersionUID = 1L;

    LostPlaceError(Mutation mutation, String method, @Nullable Throwable cause) {
      super(
          "the bug '%s' has lost its place in %s, which has nothing for %s"
              .formatted(mutation.what(), method, mutation.edit()),
          cause);
    }
  }

  private static byte[] read(String name) {
    String path = name.replace('.', '/') + ".class";
    try (InputStream in = MutantLoader.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("no class " + name + ": was it renamed?");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The class with the bug in one of its methods. */
  private byte[] mutated(byte[] original, String name, String place) {
    int[] hits = new int[1];
    try {
      byte[] bytes =
          classFile.transformClass(
              classFile.parse(original),
              (builder, element) -> {
                if (element instanceof MethodModel method && isMeant(method, place)) {
                  builder.transformMethod(method, (body, part) -> edit(method, body, part, hits));
                } else {
                  builder.with(element);
                }
              });
      if (hits[0] > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      throw new LostPlaceError(mutation, name + "." + place, e);
    }
    throw new LostPlaceError(mutation, name + "." + place, null);
  }

  /** Whether the method is the one meant, or a lambda in it. */
  private boolean isMeant(MethodModel method, String place) {
    String name = method.methodName().stringValue();
    boolean whole = mutation.edit() instanceof Edit.Answers;
    return name.equals(place) || (!whole && name.startsWith("lambda$" + place + "$"));
  }

  private void edit(MethodModel method, MethodBuilder body, MethodElement part, int[] hits) {
    if (!(part instanceof CodeModel code)) {
      body.with(part);
    } else if (mutation.edit() instanceof Edit.Answers(Object value)) {
      hits[0]++;
      body.withCode(builder -> answer(builder, method, value));
    } else {
      EditedCode edited = new EditedCode(mutation.edit());
      body.transformCode(code, edited);
      hits[0] += edited.hits();
    }
  }

  private static void answer(CodeBuilder body, MethodModel method, @Nullable Object value) {
    MethodTypeDesc type = method.methodTypeSymbol();
    if (type.returnType().equals(ConstantDescs.CD_void)) {
      body.return_();
    } else {
      EditedCode.constant(body, value);
      body.return_(TypeKind.from(type.returnType()));
    }
  }
}
