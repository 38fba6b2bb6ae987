package dev.heldcall.gateway.product;

import dev.heldcall.config.SettingsException;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One node on each engine, started when it is first asked for and stopped after the last test. */
final class SharedNodes implements BeforeAllCallback {

  private static volatile @Nullable Nodes current;

  @Override
  public void beforeAll(ExtensionContext context) {
    current =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(SharedNodes.class))
            .getOrComputeIfAbsent(Nodes.class, key -> new Nodes(), Nodes.class);
  }

  static ProductNode on(Engine engine) {
    Nodes nodes = current;
    if (nodes == null) {
      throw new IllegalStateException("the test does not extend ProductTest");
    }
    return nodes.on(engine);
  }

  /** The nodes and their folders. */
  static final class Nodes implements AutoCloseable {

    private final Map<Engine, ProductNode> running = new EnumMap<>(Engine.class);

    private synchronized ProductNode on(Engine engine) {
      return running.computeIfAbsent(engine, Nodes::start);
    }

    private static ProductNode start(Engine engine) {
      try {
        Path folder = Files.createTempDirectory("heldcall-product-");
        return new ProductNode(folder, engine.fresh(folder.resolve("data")), new ToolServer())
            .start();
      } catch (IOException | SettingsException e) {
        throw new IllegalStateException("the node on " + engine + " did not start", e);
      }
    }

    @Override
    public synchronized void close() throws IOException {
      for (ProductNode node : running.values()) {
        node.close();
        node.tools().close();
        delete(node.folder());
      }
    }

    private static void delete(Path folder) throws IOException {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
