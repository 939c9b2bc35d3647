import type { TableSpec } from "@reeve/store-sql";
import { qualified } from "./namespace.js";

const TEXT = 'text COLLATE "C"';

/** Row-level security, also for the owner. A policy with a sub-select could be none of a table that is distributed. */
function walled(table: string): string[] {
  return [
    `ALTER TABLE ${qualified(table)} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${qualified(table)} FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY tenant ON ${qualified(table)} USING (tenant_id = current_setting('reeve.tenant', true))`,
  ];
}

/**
 * Row-level security of a collection's table and its search index. With platform scope, also a policy for reads across
 * tenants.
 */
export function afterTable({ name, scope, searchable }: TableSpec): readonly string[] {
  const door = `CREATE POLICY platform ON ${qualified(name)} FOR SELECT USING (current_setting('reeve.platform', true) = 'on')`;
  // The tenant leads, so that a search reads only the entries of its own tenant. That takes the extension btree_gin.
  // Operator classes are in the schema of their extension, which may be any.
  const home = (extension: string) =>
    `(SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = '${extension}')`;
  const grams = (lead: string) =>
    `CREATE INDEX "gx_${name}" ON ${qualified(name)} USING gin (${lead}search_text %I.gin_trgm_ops) WHERE removed_at IS NULL`;
  const indexed = `DO $do$ DECLARE
  trigrams text := ${home("pg_trgm")};
  tenants text := ${home("btree_gin")};
BEGIN
  IF trigrams IS NOT NULL AND tenants IS NOT NULL THEN
    EXECUTE format('${grams("tenant_id %I.text_ops, ")}', tenants, trigrams);
  ELSIF trigrams IS NOT NULL THEN
    EXECUTE format('${grams("")}', trigrams);
  END IF;
END $do$`;
  return [...walled(name), ...(scope === "platform" ? [door] : []), ...(searchable ? [indexed] : [])];
}

/**
 * The tables without a collection, and the functions that link events and check versions. A cluster takes only immutable
 * functions in what an insert does on a conflict.
 */
export const kernel: readonly string[] = [
  `CREATE FUNCTION "reeve".link(previous text, seq bigint, record_hash text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT AS $fn$
BEGIN
  RETURN encode(sha256(convert_to(previous || E'\\n' || lpad(seq::text, 12, '0') || E'\\n' || record_hash, 'UTF8')), 'hex');
END $fn$`,
  `CREATE FUNCTION "reeve".links(previous text, last bigint, record_hashes text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT AS $fn$
DECLARE
  links text[] := '{}';
  hash text := previous;
BEGIN
  FOR i IN 1 .. cardinality(record_hashes) LOOP
    hash := encode(sha256(convert_to(hash || E'\\n' || lpad((last + i)::text, 12, '0') || E'\\n' || record_hashes[i], 'UTF8')), 'hex');
    links := links || hash;
  END LOOP;
  RETURN links;
END $fn$`,
  `CREATE FUNCTION "reeve".last_link(previous text, last bigint, record_hashes text[]) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT AS $fn$
BEGIN
  RETURN ("reeve".links(previous, last, record_hashes))[cardinality(record_hashes)];
END $fn$`,
  `CREATE FUNCTION "reeve".expect(name text, written bigint, wanted bigint) RETURNS boolean
LANGUAGE plpgsql AS $fn$
BEGIN
  IF written <> wanted THEN
    RAISE EXCEPTION '%', name USING ERRCODE = 'RV001';
  END IF;
  RETURN true;
END $fn$`,
  `CREATE TABLE "reeve".events (
  tenant_id ${TEXT} NOT NULL,
  seq bigint NOT NULL,
  id ${TEXT} NOT NULL,
  time ${TEXT} NOT NULL,
  attributes text NOT NULL,
  data text,
  prev_hash text NOT NULL,
  event_hash text NOT NULL,
  record_hash text NOT NULL,
  streams text NOT NULL,
  PRIMARY KEY (tenant_id, seq)
)`,
  'CREATE UNIQUE INDEX uq_events_id ON "reeve".events (tenant_id, id)',
  ...walled("events"),
  `CREATE FUNCTION "reeve".keep_events() RETURNS trigger LANGUAGE plpgsql AS $fn$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.data IS NULL
    AND (NEW.tenant_id, NEW.seq, NEW.id, NEW.time, NEW.attributes, NEW.prev_hash, NEW.event_hash, NEW.record_hash, NEW.streams)
      = (OLD.tenant_id, OLD.seq, OLD.id, OLD.time, OLD.attributes, OLD.prev_hash, OLD.event_hash, OLD.record_hash, OLD.streams) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND OLD.seq <= (SELECT pruned FROM "reeve".chain_heads h WHERE h.tenant_id = OLD.tenant_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'events are append-only';
END $fn$`,
  'CREATE TRIGGER events_keep BEFORE UPDATE OR DELETE ON "reeve".events FOR EACH ROW EXECUTE FUNCTION "reeve".keep_events()',
  'CREATE TRIGGER events_keep_all BEFORE TRUNCATE ON "reeve".events EXECUTE FUNCTION "reeve".keep_events()',
  `CREATE TABLE "reeve".event_streams (
  tenant_id ${TEXT} NOT NULL,
  stream ${TEXT} NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (tenant_id, stream, seq)
)`,
  ...walled("event_streams"),
  `CREATE TABLE "reeve".chain_heads (
  tenant_id ${TEXT} PRIMARY KEY,
  seq bigint NOT NULL,
  hash text NOT NULL,
  prev_hash text NOT NULL,
  pruned bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50)`,
  ...walled("chain_heads"),
  // The head goes last, and only once the whole chain was given up.
  `CREATE FUNCTION "reeve".keep_heads() RETURNS trigger LANGUAGE plpgsql AS $fn$
BEGIN
  IF OLD.pruned = OLD.seq AND NOT EXISTS (SELECT FROM "reeve".events e WHERE e.tenant_id = OLD.tenant_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the chain of events is kept';
END $fn$`,
  'CREATE TRIGGER chain_heads_keep BEFORE DELETE ON "reeve".chain_heads FOR EACH ROW EXECUTE FUNCTION "reeve".keep_heads()',
  `CREATE TABLE "reeve".counters (
  tenant_id ${TEXT} NOT NULL,
  collection ${TEXT} NOT NULL,
  field ${TEXT} NOT NULL,
  value ${TEXT} NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (tenant_id, collection, field, value)
) WITH (fillfactor = 50)`,
  ...walled("counters"),
  `CREATE TABLE "reeve".dues (
  tenant_id ${TEXT} PRIMARY KEY,
  due_at ${TEXT} NOT NULL,
  due_since_claim ${TEXT},
  claim bigint NOT NULL DEFAULT 0,
  claimed_until bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50)`,
  'CREATE INDEX ix_dues_due_at ON "reeve".dues (due_at, tenant_id)',
  ...walled("dues"),
  `CREATE POLICY platform ON "reeve".dues USING (current_setting('reeve.platform', true) = 'on')`,
  // Unlogged, because a crash loses only what expires soon.
  `CREATE UNLOGGED TABLE "reeve".quotas (
  tenant_id ${TEXT} NOT NULL,
  key ${TEXT} NOT NULL,
  until bigint NOT NULL,
  quota bigint NOT NULL,
  used bigint NOT NULL,
  granted bigint NOT NULL,
  PRIMARY KEY (tenant_id, key)
) WITH (fillfactor = 50)`,
  'CREATE INDEX ix_quotas_until ON "reeve".quotas (tenant_id, until)',
  ...walled("quotas"),
];
