package dev.heldcall.kernel.api;

import dev.heldcall.kernel.execute.PermitSigner;
import dev.heldcall.kernel.readside.IssuerKeys;
import dev.heldcall.kernel.store.Store;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The keys that permits are signed with: made once a cluster and kept in its database. */
final class NodeKeys {

  private NodeKeys() {}

  static PermitSigner signer(Store store) throws SQLException {
    IssuerKeys keys = new IssuerKeys(store);
    IssuerKeys.IssuerKey current =
        keys.loadOrCreate(
            () -> {
              PermitSigner.PermitKey made = PermitSigner.newKey();
              return new IssuerKeys.IssuerKey(made.id(), made.jwk(), System.currentTimeMillis());
            });
    List<String> jwks = new ArrayList<>();
    jwks.add(current.jwk());
    for (IssuerKeys.IssuerKey each : keys.all()) {
      if (!each.id().equals(current.id())) {
        jwks.add(each.jwk());
      }
    }
    return PermitSigner.of(jwks);
  }
}
