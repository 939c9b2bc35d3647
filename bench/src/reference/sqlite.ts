import Database from "better-sqlite3";
import type { JWK } from "jose";
import { type Asset, countedOf, likenessOf, searchTextOf } from "./asset.js";
import { type AssetPage, type AssetQuery, type Backend, CANDIDATES, COUNT_LIMIT } from "./backend.js";
import { type Event, linkOf } from "./event.js";
import { SearchIndex, TENANT_SPAN } from "./search-index.js";

const COLUMNS =
  "tenant_id, id, version, created_at, stale_at, search_text, status, governance_state, asset_type, provider, environment, external_id, risk_tier, owned, likeness, expires_at, body";
const LIVE = "tenant_id = ? and removed_at is null";
const FOUND = `from (select rowid & ${TENANT_SPAN - 1n} as n from reeve_ai_assets_fts where reeve_ai_assets_fts match ? and rowid > ? and rowid < ?
  order by rowid desc limit ${CANDIDATES}) c cross join reeve_ai_assets t on t.n = c.n
  where t.removed_at is null and t.tenant_id = ? and instr(t.search_text, ?) > 0`;

type Cells = readonly [id: string, createdAt: string, body: string];

/** Prepared statements on better-sqlite3, with Reeve's settings of SQLite. */
export class SqliteBackend implements Backend {
  readonly db: Database.Database;
  readonly #index: SearchIndex;
  readonly #kept = new Map<string, Database.Statement>();

  constructor(file: string) {
    this.db = new Database(file, { timeout: 1_000 });
    this.db.pragma("journal_mode = WAL");
    this.db.pragma("synchronous = FULL");
    this.db.pragma("foreign_keys = ON");
    this.db.pragma("cache_size = -32768");
    this.db.pragma("temp_store = MEMORY");
    this.db.pragma("wal_autocheckpoint = 10000");
    this.#index = new SearchIndex(this.db);
  }

  find(tenantId: string, id: string): string | undefined {
    const row = this.#rows(`select body from reeve_ai_assets where ${LIVE} and id = ?`).get(tenantId, id);
    return (row as [string] | undefined)?.[0];
  }

  page(query: AssetQuery): AssetPage {
    const { cells, total, exact } = query.search === undefined ? this.#list(query) : this.#search(query, query.search);
    const shown = cells.slice(0, query.size);
    const bodies = shown.map(([, , body]) => body);
    const last = shown.at(-1);
    return {
      items: query.asText ? `[${bodies.join(",")}]` : bodies,
      total,
      exact,
      next: last && cells.length > query.size ? { id: last[0], createdAt: last[1] } : undefined,
    };
  }

  #list({ tenantId, assetType, size, page, after }: AssetQuery) {
    const filter = assetType === undefined ? "" : " and asset_type = ?";
    const seek = after ? " and (created_at, id) < (?, ?)" : "";
    const offset = page > 0 ? " offset ?" : "";
    const values: unknown[] = [tenantId];
    if (assetType !== undefined) values.push(assetType);
    if (after) values.push(after.createdAt, after.id);
    if (page > 0) values.push(page * size);
    const sql = `select id, created_at, body from reeve_ai_assets where ${LIVE}${filter}${seek}
      order by created_at desc, id desc limit ${size + 1}${offset}`;
    const cells = this.#rows(sql).all(...values) as Cells[];
    const counter = this.#rows(
      "select n from reeve_counters where tenant_id = ? and collection = 'ai_assets' and field = ? and value = ?",
    ).get(tenantId, assetType === undefined ? "" : "assetType", assetType ?? "");
    return { cells, total: (counter as [number] | undefined)?.[0] ?? 0, exact: true };
  }

  #search({ tenantId, size, page }: AssetQuery, term: string) {
    const letters = [...term];
    const grams = new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join("")));
    const match = [...grams].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" ");
    const number = BigInt(this.#index.tenantNumber(tenantId));
    const values = [match, number * TENANT_SPAN, (number + 1n) * TENANT_SPAN, tenantId, term];
    const offset = page > 0 ? ` offset ${page * size}` : "";
    const cells = this.#rows(`select t.id, t.created_at, t.body ${FOUND} limit ${size + 1}${offset}`).all(...values);
    const [count] = this.#rows(`select count(*) from (select 1 ${FOUND} limit ${COUNT_LIMIT + 1})`).get(...values) as [
      number,
    ];
    return { cells: cells as Cells[], total: Math.min(count, COUNT_LIMIT), exact: count <= COUNT_LIMIT };
  }

  create(tenantId: string, asset: Asset, event: Event): void {
    this.#transaction(() => {
      const marks = COLUMNS.replaceAll(/\w+/g, "?");
      const { lastInsertRowid } = this.#of(`insert into reeve_ai_assets (${COLUMNS}) values (${marks})`).run(
        tenantId,
        asset.id,
        asset.version,
        asset.createdAt,
        null,
        searchTextOf(asset),
        asset.status,
        asset.governanceState,
        asset.assetType,
        asset.provider,
        asset.environment,
        asset.externalRef?.id ?? null,
        asset.riskTier,
        asset.owner === null ? 0 : 1,
        likenessOf(asset),
        null,
        JSON.stringify(asset),
      );
      this.#of("insert into reeve_search_pending (collection, tenant_id, n) values ('ai_assets', ?, ?)").run(
        tenantId,
        lastInsertRowid,
      );
      this.#append(tenantId, event);
      for (const [field, value] of countedOf(asset)) this.#count(tenantId, field, value, 1);
    });
    this.#index.written();
  }

  similar(tenantId: string, asset: Asset): readonly string[] {
    const sql = `select id from reeve_ai_assets where ${LIVE} and likeness = ? and created_at < ? order by created_at desc, id desc limit 3`;
    const rows = this.#rows(sql).all(tenantId, likenessOf(asset), asset.createdAt) as [string][];
    return rows.map(([id]) => id);
  }

  move(tenantId: string, next: Asset, previous: Asset, event: Event): boolean {
    return this.#transaction(() => {
      const { changes } = this.#of(
        `update reeve_ai_assets set version = ?, status = ?, body = ? where ${LIVE} and id = ? and version = ?`,
      ).run(next.version, next.status, JSON.stringify(next), tenantId, next.id, previous.version);
      if (changes !== 1) return false;
      this.#append(tenantId, event);
      this.#count(tenantId, "status", previous.status, -1);
      this.#count(tenantId, "status", next.status, 1);
      return true;
    });
  }

  keys() {
    const rows = this.#rows("select id, body from reeve_signing_keys where removed_at is null").all() as [
      string,
      string,
    ][];
    return rows.map(([id, body]) => ({ id, publicJwk: (JSON.parse(body) as { publicJwk: JWK }).publicJwk }));
  }

  close(): void {
    this.#index.stop();
    this.db.close();
  }

  #append(tenantId: string, { id, time, attributes, data, recordHash, streams }: Event): void {
    const head = this.#rows("select seq, hash from reeve_chain_heads where tenant_id = ?").get(tenantId) as [
      number,
      string,
    ];
    const [seq, hash] = [head[0] + 1, linkOf(head[1], head[0] + 1, recordHash)];
    this.#of(
      "insert into reeve_events (tenant_id, seq, id, time, attributes, data, prev_hash, event_hash, record_hash, streams) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ).run(tenantId, seq, id, time, attributes, data, head[1], hash, recordHash, JSON.stringify(streams));
    const stream = this.#of("insert into reeve_event_streams (tenant_id, stream, seq) values (?, ?, ?)");
    for (const name of streams) stream.run(tenantId, name, seq);
    this.#of("update reeve_chain_heads set seq = ?, hash = ? where tenant_id = ?").run(seq, hash, tenantId);
  }

  #count(tenantId: string, field: string, value: string, by: number): void {
    this.#of(`insert into reeve_counters (tenant_id, collection, field, value, n) values (?, 'ai_assets', ?, ?, ?)
      on conflict (tenant_id, collection, field, value) do update set n = n + excluded.n`).run(
      tenantId,
      field,
      value,
      by,
    );
  }

  #transaction<T>(work: () => T): T {
    this.#of("begin immediate").run();
    try {
      const result = work();
      this.#of("commit").run();
      return result;
    } finally {
      if (this.db.inTransaction) this.#of("rollback").run();
    }
  }

  #of(sql: string): Database.Statement {
    let statement = this.#kept.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.#kept.set(sql, statement);
    }
    return statement;
  }

  /** A reading statement whose rows are arrays. */
  #rows(sql: string): Database.Statement {
    let statement = this.#kept.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql).raw(true);
      this.#kept.set(sql, statement);
    }
    return statement;
  }
}
