/** The tables without a collection. */
export const kernel: readonly string[] = [
  `CREATE TABLE reeve_events (
  tenant_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  time TEXT NOT NULL,
  attributes TEXT NOT NULL,
  data TEXT,
  prev_hash TEXT NOT NULL,
  event_hash TEXT NOT NULL,
  record_hash TEXT NOT NULL,
  streams TEXT NOT NULL,
  PRIMARY KEY (tenant_id, seq)
)`,
  "CREATE UNIQUE INDEX reeve_uq_events_id ON reeve_events (tenant_id, id)",
  `CREATE TRIGGER reeve_events_keep BEFORE DELETE ON reeve_events
WHEN OLD.seq > coalesce((SELECT pruned FROM reeve_chain_heads WHERE tenant_id = OLD.tenant_id), 0)
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END`,
  `CREATE TRIGGER reeve_events_erase_only BEFORE UPDATE ON reeve_events
WHEN NEW.data IS NOT NULL
  OR (NEW.tenant_id, NEW.seq, NEW.id, NEW.time, NEW.attributes, NEW.prev_hash, NEW.event_hash, NEW.record_hash, NEW.streams)
  IS NOT (OLD.tenant_id, OLD.seq, OLD.id, OLD.time, OLD.attributes, OLD.prev_hash, OLD.event_hash, OLD.record_hash, OLD.streams)
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END`,
  `CREATE TABLE reeve_event_streams (
  tenant_id TEXT NOT NULL,
  stream TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, stream, seq)
) WITHOUT ROWID`,
  `CREATE TABLE reeve_chain_heads (
  tenant_id TEXT NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  pruned INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID`,
  // The head goes last, and only once the whole chain was given up.
  `CREATE TRIGGER reeve_chain_heads_keep BEFORE DELETE ON reeve_chain_heads
WHEN OLD.pruned < OLD.seq OR EXISTS (SELECT 1 FROM reeve_events WHERE tenant_id = OLD.tenant_id)
BEGIN
  SELECT RAISE(ABORT, 'the chain of events is kept');
END`,
  `CREATE TABLE reeve_counters (
  tenant_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, collection, field, value)
) WITHOUT ROWID`,
  `CREATE TABLE reeve_dues (
  tenant_id TEXT NOT NULL PRIMARY KEY,
  due_at TEXT NOT NULL,
  due_since_claim TEXT,
  claim INTEGER NOT NULL DEFAULT 0,
  claimed_until INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID`,
  "CREATE INDEX reeve_ix_dues_due_at ON reeve_dues (due_at, tenant_id)",
  // A tenant's number is the upper half of its row numbers in the search indexes, so that a search reads one tenant's
  // part.
  "CREATE TABLE reeve_search_tenants (no INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL UNIQUE)",
  `CREATE TABLE reeve_search_pending (
  collection TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (collection, tenant_id, n)
) WITHOUT ROWID`,
];
