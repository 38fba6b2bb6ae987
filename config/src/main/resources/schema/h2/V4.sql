-- Version 4: claims of witness requests. A live claim has the request's slot, so that there is one at a time; an
-- ended one has none, and stays a while so that its release can be asked for again. `hide_until` keeps a request from
-- somebody who has attested it, or may not.
CREATE TABLE IF NOT EXISTS witness_claim (
  claim_id      VARCHAR(64) PRIMARY KEY,
  slot          VARCHAR UNIQUE,
  held_id       VARCHAR(64) NOT NULL,
  generation    INTEGER NOT NULL,
  witness_class VARCHAR NOT NULL,
  org           VARCHAR NOT NULL,
  project       VARCHAR NOT NULL,
  principal     VARCHAR NOT NULL,
  claimed_until BIGINT NOT NULL,
  hide_until    BIGINT NOT NULL,
  keep_until    BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS witness_claim_by_call ON witness_claim (held_id, principal);
CREATE INDEX IF NOT EXISTS witness_claim_by_holder ON witness_claim (org, project, principal, claimed_until);
CREATE INDEX IF NOT EXISTS witness_claim_by_keep ON witness_claim (keep_until);

-- The oldest first, for those who take requests from a queue.
CREATE INDEX IF NOT EXISTS call_index_by_age ON call_index (org, state, created_at, held_id);
