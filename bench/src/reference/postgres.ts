import type { JWK } from "jose";
import pg from "pg";
import { type Asset, countedOf, likenessOf, searchTextOf } from "./asset.js";
import { type AssetPage, type AssetQuery, type Backend, COUNT_LIMIT } from "./backend.js";
import type { Event } from "./event.js";

const LIVE = "t.tenant_id = $1 and t.removed_at is null";
const NEWEST = "order by t.created_at desc, t.id desc";

/** SQL for chain head, event, streams and counters. It uses `$1` to `$10`, and a condition on the head. */
const auditOf = (condition: string) => `head as (update chain_heads h set seq = h.seq + 1, prev_hash = h.hash,
    hash = encode(sha256(convert_to(h.hash || E'\\n' || lpad((h.seq + 1)::text, 12, '0') || E'\\n' || $6::text, 'UTF8')), 'hex')
    where h.tenant_id = $1${condition} returning seq, hash, prev_hash),
  ev as (insert into events (tenant_id, seq, id, time, attributes, data, prev_hash, event_hash, record_hash, streams)
    select $1, seq, $2::text, $3::text, $4::text, $5::text, prev_hash, hash, $6::text, array_to_json($7::text[])::text from head),
  es as (insert into event_streams (tenant_id, stream, seq) select $1, u.stream, head.seq from head, unnest($7::text[]) as u(stream)),
  ct as (insert into counters as c (tenant_id, collection, field, value, n)
    select $1, 'ai_assets', u.* from head, unnest($8::text[], $9::text[], $10::bigint[]) as u
    on conflict (tenant_id, collection, field, value) do update set n = c.n + excluded.n)`;

const CREATE = `with ${auditOf("")},
  a as (insert into ai_assets (tenant_id, id, version, created_at, search_text, status, governance_state, asset_type, provider,
    environment, external_id, risk_tier, owned, likeness, body) values ($1, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24))
  select seq from head`;

const SIMILAR = `select t.id from ai_assets t where ${LIVE} and t.likeness = $2 and t.created_at < $3 ${NEWEST} limit 3`;

const MOVE = `with a as (update ai_assets t set version = $11, status = $12, body = $13
    where ${LIVE} and t.id = $14 and t.version = $15 returning 1),
  ${auditOf(" and exists (select from a)")}
  select seq from head`;

interface PageRow {
  readonly n: string;
  readonly items: string;
  readonly fetched: string;
  readonly id: string | null;
  readonly created_at: string | null;
  readonly body: string | null;
}

/** Named statements on pg. A create is one statement. Only `where` separates tenants. */
export class PostgresBackend implements Backend {
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 10, options: "-c search_path=reeve" });
    // Ignores connections that break while they are closed.
    this.#pool.on("error", () => undefined).on("connect", (client) => client.on("error", () => undefined));
  }

  async find(tenantId: string, id: string): Promise<string | undefined> {
    const [row] = await this.#query<{ body: string }>(`select t.body from ai_assets t where ${LIVE} and t.id = $2`, [
      tenantId,
      id,
    ]);
    return row?.body;
  }

  async page(query: AssetQuery): Promise<AssetPage> {
    const { tenantId, assetType, search, size, page, after, asText } = query;
    const values: unknown[] = [tenantId];
    const value = (given: unknown) => `$${values.push(given)}::text`;
    const filter = assetType === undefined ? "" : ` and t.asset_type = ${value(assetType)}`;
    const match = search === undefined ? "" : ` and t.search_text like ${value(patternOf(search))}`;
    const seek = after ? ` and (t.created_at, t.id) < (${value(after.createdAt)}, ${value(after.id)})` : "";
    const from = `from ai_assets t where ${LIVE}${filter}${match}`;
    const rows = `select t.id, t.created_at, t.body ${from}${seek} ${NEWEST} limit ${size + 1} offset ${page * size}`;
    const counter = `select n from counters where tenant_id = $1 and collection = 'ai_assets' and field = '${assetType === undefined ? "" : "assetType"}' and value = ${assetType === undefined ? "''" : "$2"}`;
    const total = search === undefined ? counter : `select count(*) from (select ${from} limit ${COUNT_LIMIT + 1}) b`;
    const found = asText
      ? await this.#query<PageRow>(textPage(rows, total, size), values)
      : await this.#query<PageRow>(
          `select c.n, p.* from (select coalesce((${total}), 0) as n) c left join lateral (${rows}) p on true`,
          values,
        );
    const count = Number(found[0]?.n ?? 0);
    const rest =
      search === undefined
        ? { total: count, exact: true }
        : { total: Math.min(count, COUNT_LIMIT), exact: count <= COUNT_LIMIT };
    if (asText) {
      const [row] = found;
      const more = row && Number(row.fetched) > size && row.id !== null && row.created_at !== null;
      return {
        items: row?.items ?? "[]",
        ...rest,
        next: more ? { id: row.id as string, createdAt: row.created_at as string } : undefined,
      };
    }
    const shown = found.filter((row) => row.id !== null).slice(0, size);
    const last = shown.at(-1);
    const next =
      last && found.length > size ? { id: last.id as string, createdAt: last.created_at as string } : undefined;
    return { items: shown.map((row) => row.body as string), ...rest, next };
  }

  async create(tenantId: string, asset: Asset, event: Event): Promise<void> {
    const counters = countedOf(asset).map(([field, value]) => [field, value, 1] as const);
    await this.#query(CREATE, [
      ...audit(tenantId, event, counters),
      asset.id,
      asset.version,
      asset.createdAt,
      searchTextOf(asset),
      asset.status,
      asset.governanceState,
      asset.assetType,
      asset.provider,
      asset.environment,
      asset.externalRef?.id ?? null,
      asset.riskTier,
      asset.owner !== null,
      likenessOf(asset),
      JSON.stringify(asset),
    ]);
  }

  async similar(tenantId: string, asset: Asset): Promise<readonly string[]> {
    const rows = await this.#query<{ id: string }>(SIMILAR, [tenantId, likenessOf(asset), asset.createdAt]);
    return rows.map(({ id }) => id);
  }

  async move(tenantId: string, next: Asset, previous: Asset, event: Event): Promise<boolean> {
    const counters = [
      ["status", previous.status, -1],
      ["status", next.status, 1],
    ] as const;
    const rows = await this.#query(MOVE, [
      ...audit(tenantId, event, counters),
      next.version,
      next.status,
      JSON.stringify(next),
      next.id,
      previous.version,
    ]);
    return rows.length === 1;
  }

  async keys() {
    const rows = await this.#query<{ id: string; body: string }>(
      "select id, body from signing_keys where removed_at is null",
      [],
    );
    return rows.map(({ id, body }) => ({ id, publicJwk: (JSON.parse(body) as { publicJwk: JWK }).publicJwk }));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #query<R extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<R[]> {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `bench_${this.#names.size}`;
      this.#names.set(text, name);
    }
    return (await this.#pool.query<R>({ name, text, values })).rows;
  }
}

function textPage(rows: string, total: string, size: number): string {
  return `select coalesce((${total}), 0) as n, '[' || coalesce(string_agg(p.body, ',' order by p.place) filter (where p.place <= ${size}), '') || ']' as items,
    count(*) as fetched, max(p.id) filter (where p.place = ${size}) as id, max(p.created_at) filter (where p.place = ${size}) as created_at
    from (select row_number() over () as place, r.* from (${rows}) r) p`;
}

function patternOf(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

function audit(
  tenantId: string,
  event: Event,
  counters: readonly (readonly [field: string, value: string, by: number])[],
): unknown[] {
  return [
    tenantId,
    event.id,
    event.time,
    event.attributes,
    event.data,
    event.recordHash,
    event.streams,
    counters.map(([field]) => field),
    counters.map(([, value]) => value),
    counters.map(([, , by]) => by),
  ];
}
