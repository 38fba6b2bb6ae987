package dev.heldcall.gateway.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The network between the nodes: whatever one node says to another goes through here, told apart by
 * the loopback address that each node binds its outgoing connections to. A node that is cut off is
 * neither heard nor reached by others: connections stay open and silent, as when a cable is pulled.
 */
final class Cables implements AutoCloseable {

  private final Set<String> cutOff = ConcurrentHashMap.newKeySet();
  private final Set<Socket> dead = ConcurrentHashMap.newKeySet();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final CopyOnWriteArrayList<ServerSocket> sockets = new CopyOnWriteArrayList<>();

  /** Listens for the node at the host, and passes on to the port where it really is. */
  int plug(String host, int nodePort) throws IOException {
    ServerSocket server = new ServerSocket(0, 100, InetAddress.getByName(host));
    sockets.add(server);
    Thread.ofVirtual().start(() -> accept(server, host, nodePort));
    return server.getLocalPort();
  }

  /** Nothing passes between this host and the others any more. */
  void cut(String host) {
    cutOff.add(host);
  }

  /** Everything passes again; what was silent is gone. */
  void mend() {
    cutOff.clear();
    dead.forEach(Cables::close);
    dead.clear();
  }

  private boolean isCut(String from, String to) {
    return !from.equals(to) && (cutOff.contains(from) || cutOff.contains(to));
  }

  private void accept(ServerSocket server, String host, int nodePort) {
    while (!server.isClosed()) {
      try {
        Socket caller = server.accept();
        open.add(caller);
        Thread.ofVirtual().start(() -> connect(caller, host, nodePort));
      } catch (IOException e) {
        close(server);
      }
    }
  }

  private void connect(Socket caller, String host, int nodePort) {
    String from = caller.getInetAddress().getHostAddress();
    if (isCut(from, host)) {
      dead.add(caller);
      return;
    }
    Socket node = new Socket();
    try {
      node.connect(new InetSocketAddress(host, nodePort), 5_000);
    } catch (IOException e) {
      close(caller);
      return;
    }
    open.add(node);
    Thread.ofVirtual().start(() -> pass(node, caller, from, host));
    pass(caller, node, from, host);
  }

  private void pass(Socket source, Socket target, String from, String to) {
    byte[] buffer = new byte[64 << 10];
    try {
      InputStream in = source.getInputStream();
      OutputStream out = target.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (isCut(from, to) || dead.contains(source) || dead.contains(target)) {
          dead.add(source);
          dead.add(target);
        } else {
          out.write(buffer, 0, read);
        }
      }
    } catch (IOException e) {
      // the end of either side ends both
    }
    if (!dead.contains(source)) {
      close(source);
      close(target);
    }
  }

  private static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    sockets.forEach(Cables::close);
    open.forEach(Cables::close);
    dead.forEach(Cables::close);
  }
}
