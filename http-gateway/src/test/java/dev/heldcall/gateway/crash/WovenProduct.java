package dev.heldcall.gateway.crash;

import dev.heldcall.plugin.api.WitnessProviderType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A copy of the product with its points, as jars in a folder: one for each part of the class path
 * that the product's classes come from, and one for {@link CrashPoints} itself and the story's
 * witnesses.
 *
 * <p>It is made before anything is started, and not by an agent while it runs, because the JVM's
 * archive of loaded classes is then one of the woven ones, and a start costs half.
 */
final class WovenProduct {

  private static final List<Class<?>> RUNTIME =
      List.of(CrashPoints.class, Callbacks.class, Details.class, StoryWitness.class);

  private final Path folder;
  private final Scan scan;
  private final Set<String> woven;
  private final List<Path> classPath;

  private WovenProduct(Path folder, Scan scan, Set<String> woven, List<Path> classPath) {
    this.folder = folder;
    this.scan = scan;
    this.woven = woven;
    this.classPath = classPath;
  }

  /** Makes the copy of what is on this JVM's class path. */
  static WovenProduct in(Path folder) {
    try {
      Files.createDirectories(folder);
      ProductClasses classes = ProductClasses.onThisClassPath();
      Scan scan = Scan.of(classes);
      Weaver weaver = new Weaver(scan.sites());
      List<Path> path = new ArrayList<>();
      path.add(runtime(folder.resolve("crash-points.jar")));
      for (Path root : classes.roots()) {
        Path jar = folder.resolve("woven-" + path.size() + ".jar");
        path.add(copied(root, jar, weaver));
      }
      path.addAll(classes.libraries());
      return new WovenProduct(folder, scan, weaver.woven(), path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the scan found. */
  Scan scan() {
    return scan;
  }

  /** The ids of all points that are in the copy. */
  Set<String> woven() {
    return woven;
  }

  /** Where the copy is, and what is made for it. */
  Path folder() {
    return folder;
  }

  /** As {@code java -cp} takes it. */
  String classPath() {
    return classPath.stream()
        .map(each -> each.toAbsolutePath().toString())
        .collect(Collectors.joining(java.io.File.pathSeparator));
  }

  private static Path runtime(Path jar) throws IOException {
    try (JarOutputStream out = jar(jar)) {
      for (Class<?> top : RUNTIME) {
        for (Class<?> each : withNested(top)) {
          String name = each.getName().replace('.', '/') + ".class";
          try (InputStream in = each.getResourceAsStream("/" + name)) {
            entry(out, name, Objects.requireNonNull(in).readAllBytes());
          }
        }
      }
      entry(
          out,
          "META-INF/services/" + WitnessProviderType.class.getName(),
          StoryWitness.Type.class.getName().getBytes(StandardCharsets.UTF_8));
    }
    return jar;
  }

  private static List<Class<?>> withNested(Class<?> top) {
    List<Class<?>> all = new ArrayList<>(List.of(top));
    all.addAll(List.of(top.getDeclaredClasses()));
    return all;
  }

  private static Path copied(Path root, Path jar, Weaver weaver) throws IOException {
    try (JarOutputStream out = jar(jar)) {
      if (Files.isDirectory(root)) {
        copy(root, out, weaver);
      } else {
        try (FileSystem from = FileSystems.newFileSystem(root)) {
          copy(from.getPath("/"), out, weaver);
        }
      }
    }
    return jar;
  }

  private static void copy(Path root, OutputStream out, Weaver weaver) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = root.relativize(file).toString().replace('\\', '/');
        if (!name.startsWith("META-INF/MANIFEST") && !name.startsWith(".")) {
          entry((JarOutputStream) out, name, bytes(name, Files.readAllBytes(file), weaver));
        }
      }
    }
  }

  private static byte[] bytes(String name, byte[] bytes, Weaver weaver) {
    if (!name.endsWith(".class") || name.endsWith("package-info.class")) {
      return bytes;
    }
    ClassModel model = ClassFile.of().parse(bytes);
    return weaver.has(ProductClasses.nameOf(model)) ? weaver.weave(model) : bytes;
  }

  private static JarOutputStream jar(Path jar) throws IOException {
    JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
    out.setLevel(0);
    return out;
  }

  private static void entry(JarOutputStream out, String name, byte[] bytes) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(bytes);
    out.closeEntry();
  }
}
