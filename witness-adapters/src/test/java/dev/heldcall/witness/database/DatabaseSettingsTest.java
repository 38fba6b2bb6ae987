package dev.heldcall.witness.database;

import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.witness.FactRequests;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stops the start, and where it says so. */
class DatabaseSettingsTest {

  private static final String GOOD =
      "{'url':'jdbc:postgresql://db/orders','user':'reader','password':'hidden',"
          + "'sql':'select a from t where b = ?','parameters':['/b'],'expect':{'a':1}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'url':'jdbc:mysql://db/x'}|url|begins with jdbc:postgresql: or jdbc:h2:",
        "{'url':'jdbc:h2:mem:x;INIT=RUNSCRIPT'}|url|without user, password and the options",
        "{'url':'jdbc:postgresql://db/x?readOnlyMode=ignore'}|url|readOnlyMode",
        "{'url':'jdbc:postgresql://db/x?a=b&preferQueryMode=simple'}|url|preferQueryMode",
        "{'url':'jdbc:postgresql://db/x?user=me&password=pw'}|url|without user, password",
        "{'sql':'delete from t'}|sql|begins with SELECT, WITH or VALUES",
        "{'sql':'select 1; select 2'}|sql|exactly one statement",
        "{'parameters':[]}|parameters|as many as the query has '?': 1",
        "{'parameters':['/a','/b']}|parameters|as many as the query has '?': 1",
        "{'parameters':['a']}|parameters.0|a JSON Pointer",
        "{'parameters':[{'args':'/a','type':'date'}]}|parameters.0.type|one of text, integer",
        "{'expect':{}}|expect|a column and its value, or expect-rows",
        "{'expect':{'a':[1]}}|expect.a|{ args = a JSON Pointer }",
        "{'expect':{'a':{'arg':'/a'}}}|expect.a.args|a text",
        "{'expect-rows':-1}|expect-rows|from 0 to 1000",
        "{'on-mismatch':'allow'}|on-mismatch|one of deny, defer",
        "{'show':['URI']}|show|other names than digest, uri and text",
        "{'max-rows':0}|max-rows|from 1 to 1000",
        "{'statement-timeout':'11s'}|statement-timeout|from 250ms to 10s",
        "{'pool':{'size':17}}|pool.size|from 1 to 16",
        "{'pool':{'max':1}}|pool.max|one of the keys size, wait",
        "{'sqll':'x'}|sqll|one of the keys"
      })
  void aMistakeIsNamed(String change, String path, String expected) {
    ObjectNode settings = (ObjectNode) json(GOOD);
    settings.setAll((ObjectNode) json(change.replace("'?'", "?").replace("'", "\"")));
    InvalidProviderSettings mistake =
        catchThrowableOfType(
            InvalidProviderSettings.class,
            () -> new DatabaseSettingsReader(contract("database"), settings).read());
    assertThat(mistake).isNotNull();
    assertThat(mistake.path()).isEqualTo(path);
    assertThat(mistake.expected()).contains(expected);
  }

  @Test
  void whatIsLeftOutHasADefaultWithinTheProvidersTime() throws Exception {
    DatabaseSettings read = new DatabaseSettingsReader(contract("database"), json(GOOD)).read();
    assertThat(read.name()).isEqualTo("facts");
    assertThat(read.maxRows()).isEqualTo(100);
    assertThat(read.statementTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(read.poolWait()).isEqualTo(Duration.ofMillis(2500));
    assertThat(read.toString()).doesNotContain("hidden");
  }

  @Test
  void aDatabaseThatIsNotThereStopsNoStart() throws Exception {
    new DatabaseType().create(contract("database"), json(GOOD), FactRequests.services()).close();
  }
}
