package dev.heldcall.witness.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which queries are taken, and how their parameters are counted. */
class SqlTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1",
        "SELECT status FROM orders WHERE id = ?;  ",
        "/* the newest */ with n as (select 1) select * from n -- ; delete",
        "values (1), (2)",
        "(select 1) union (select 2)",
        "select 'insert; delete' from t where \"delete\" = $q$ update; $q$",
        "select E'it\\'s; fine' from t",
        "select /* a /* nested */ ; comment */ 1"
      })
  void thatReadAreTaken(String sql) {
    assertThat(SqlText.of(sql).fault()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";",
        "select 1; select 2",
        "select 1; -- nothing\n drop table t",
        "select 'a''b'; delete from t",
        "select $$;$$; delete from t",
        "delete from t",
        "with gone as (delete from t returning *) select * from gone",
        "select * into copy from t",
        "select * from final table (insert into t values (1))",
        "select * from t for update",
        "explain analyze delete from t",
        "call wipe()",
        "set role admin"
      })
  void thatMayWriteAreNot(String sql) {
    assertThat(SqlText.of(sql).fault()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select ? , '?' , \"?\" from t where a = ? -- ?|2",
        "select data ?? 'key' from t where id = ?|1",
        "select $$ ? $$, /* ? */ ?|1"
      })
  void parametersAreCountedOutsideOfQuotes(String sql, int parameters) {
    assertThat(SqlText.of(sql).parameters()).isEqualTo(parameters);
  }

  @Test
  void aFaultSaysWhatWasExpected() {
    assertThat(SqlText.of("select 1; select 2").fault()).isEqualTo("exactly one statement");
    assertThat(SqlText.of("vacuum").fault())
        .isEqualTo("a query that begins with SELECT, WITH or VALUES");
    assertThat(SqlText.of("select a from b for update").fault()).contains("the word UPDATE");
  }
}
