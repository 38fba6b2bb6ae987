package dev.heldcall.gateway.crash;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The product's main classes as this JVM's class path has them, in folders or in jars. */
final class ProductClasses {

  private static final String OURS = "dev/heldcall/";

  /**
   * A class that each module with main classes has, so that its part of the class path is known.
   */
  private static final List<String> MARKS =
      List.of(
          "dev/heldcall/plugin/api/Principal.class",
          "dev/heldcall/config/SettingsReader.class",
          "dev/heldcall/kernel/api/Kernel.class",
          "dev/heldcall/gateway/boot/Main.class");

  private final Map<String, ClassModel> all = new TreeMap<>();
  private final List<Path> roots = new ArrayList<>();
  private final List<Path> libraries = new ArrayList<>();

  private ProductClasses() {}

  /** Reads them. */
  static ProductClasses onThisClassPath() {
    ProductClasses classes = new ProductClasses();
    Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .map(Path::of)
        .filter(Files::exists)
        .forEach(classes::take);
    if (classes.roots.size() < MARKS.size()) {
      throw new IllegalStateException("not all modules were found: " + classes.roots);
    }
    return classes;
  }

  /** These classes, as if they were the product. */
  static ProductClasses of(Class<?>... some) {
    ProductClasses classes = new ProductClasses();
    for (Class<?> each : some) {
      String name = "/" + each.getName().replace('.', '/') + ".class";
      try (InputStream in = each.getResourceAsStream(name)) {
        ClassModel model = ClassFile.of().parse(Objects.requireNonNull(in).readAllBytes());
        classes.all.put(nameOf(model), model);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return classes;
  }

  private void take(Path entry) {
    try {
      if (Files.isDirectory(entry)) {
        takeFrom(entry, entry);
      } else if (entry.toString().endsWith(".jar")) {
        try (FileSystem jar = FileSystems.newFileSystem(entry)) {
          takeFrom(entry, jar.getPath("/"));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void takeFrom(Path entry, Path root) throws IOException {
    if (MARKS.stream().noneMatch(mark -> Files.exists(root.resolve(mark)))) {
      if (!Files.isDirectory(entry)) {
        libraries.add(entry);
      }
      return;
    }
    roots.add(entry);
    try (Stream<Path> files = Files.walk(root.resolve(OURS))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
        all.put(nameOf(model), model);
      }
    }
  }

  /** The classes by their full names. */
  Map<String, ClassModel> all() {
    return all;
  }

  /** Where the product's classes and resources come from. */
  List<Path> roots() {
    return roots;
  }

  /** The jars of the class path that are not the product's. */
  List<Path> libraries() {
    return libraries;
  }

  /**
   * Whether a class is no part of a node: the commands, with the demo's bank and its story. They
   * hold no call, and a node's process runs none of them but the one that starts it.
   */
  boolean isOutside(String name) {
    return name.startsWith("dev.heldcall.gateway.cli.")
        || name.startsWith("dev.heldcall.gateway.boot.");
  }

  /**
   * The class that a method called on {@code on} comes from, as far as that can be told from the
   * product alone: the nearest class above it that is not the product's, unless one of the
   * product's declares the method.
   */
  String foreignOwner(ClassDesc on, String method) {
    String name = nameOf(on);
    ClassModel model = all.get(name);
    while (model != null) {
      if (declares(model, method)) {
        return name;
      }
      Optional<String> above = above(model);
      if (above.isEmpty()) {
        return name;
      }
      name = above.get();
      model = all.get(name);
    }
    return name;
  }

  private static boolean declares(ClassModel model, String method) {
    return model.methods().stream().anyMatch(each -> each.methodName().equalsString(method));
  }

  private static Optional<String> above(ClassModel model) {
    Optional<String> superclass =
        model
            .superclass()
            .map(ProductClasses::nameOf)
            .filter(each -> !each.startsWith("java.lang."));
    return superclass.or(() -> model.interfaces().stream().map(ProductClasses::nameOf).findFirst());
  }

  static String nameOf(ClassModel model) {
    return nameOf(model.thisClass());
  }

  private static String nameOf(ClassEntry entry) {
    return entry.asInternalName().replace('/', '.');
  }

  private static String nameOf(ClassDesc desc) {
    return desc.isArray()
        ? "array"
        : desc.packageName().isEmpty()
            ? desc.displayName()
            : desc.packageName() + "." + internalSimple(desc);
  }

  private static String internalSimple(ClassDesc desc) {
    String descriptor = desc.descriptorString();
    return descriptor.substring(descriptor.lastIndexOf('/') + 1, descriptor.length() - 1);
  }

  /** The name without its package, nested classes after a dot. */
  static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
  }
}
