package dev.heldcall.kernel.journal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source that counts transactions, and that can break before or after one is committed. */
final class WatchedSource {

  /** Commits, and statements that were one by themselves. */
  final AtomicInteger transactions = new AtomicInteger();

  /** How often a connection was asked for. */
  final AtomicInteger borrowed = new AtomicInteger();

  private final DataSource real;
  private final AtomicReference<@Nullable SQLException> away = new AtomicReference<>();
  private final AtomicReference<@Nullable SQLException> afterCommit = new AtomicReference<>();

  WatchedSource(DataSource real) {
    this.real = real;
  }

  /** From now on there is no connection. */
  void away(SQLException why) {
    away.set(why);
  }

  /** Connections can be had again. */
  void back() {
    away.set(null);
  }

  /** The next commit takes place, and then its connection breaks. */
  void breakAfterCommit(SQLException how) {
    afterCommit.set(how);
  }

  DataSource source() {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          borrowed.incrementAndGet();
          SQLException why = away.get();
          if (why != null) {
            throw why;
          }
          return connection((Connection) Objects.requireNonNull(call(real, method, arguments)));
        });
  }

  private Connection connection(Connection connection) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          Object result = call(connection, method, arguments);
          if (method.getName().equals("commit")) {
            committed();
          }
          return method.getName().equals("prepareStatement")
              ? statement(connection, (PreparedStatement) Objects.requireNonNull(result))
              : result;
        });
  }

  private PreparedStatement statement(Connection connection, PreparedStatement statement) {
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          Object result = call(statement, method, arguments);
          if (method.getName().equals("executeUpdate") && connection.getAutoCommit()) {
            committed();
          }
          return result;
        });
  }

  private void committed() throws SQLException {
    transactions.incrementAndGet();
    SQLException how = afterCommit.getAndSet(null);
    if (how != null) {
      throw how;
    }
  }

  private interface Invocation {
    @Nullable Object invoke(Method method, @Nullable Object @Nullable [] arguments)
        throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Invocation invocation) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> invocation.invoke(method, arguments)));
  }

  private static @Nullable Object call(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
