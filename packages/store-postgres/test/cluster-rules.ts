import pg from "pg";
import { vi } from "vitest";

/** Functions by how they may change: `i` immutable, `s` stable, `v` volatile. A name may have several. */
export type Volatilities = ReadonlyMap<string, string>;

/** Tables that no tenant has. */
const SHARED = ["migrations", "backfills"];
/** Words that may follow a table and are no name for it. */
const CLAUSE = /^(?:where|on|set|cross|left|join|order|limit|using|for|group|union)$/;

/** Notes the text of each statement that is prepared until `stop`. */
export function watchStatements(): { readonly texts: ReadonlySet<string>; stop(): void } {
  const texts = new Set<string>();
  const { prototype } = pg.Connection;
  const { parse } = prototype;
  const spy = vi.spyOn(prototype, "parse").mockImplementation(function (this: pg.Connection, query, more) {
    texts.add(query.text);
    return parse.call(this, query, more);
  });
  return { texts, stop: () => spy.mockRestore() };
}

/** Reads from the catalogue how functions may change. */
export async function readVolatilities(client: pg.ClientBase): Promise<Volatilities> {
  const { rows } = await client.query<{ name: string; kinds: string }>(
    "select proname::text as name, string_agg(distinct provolatile::text, '') as kinds from pg_proc group by proname",
  );
  return new Map(rows.map(({ name, kinds }) => [name, kinds]));
}

/**
 * Why a cluster of the kind of Citus could not run a statement of one tenant, or not on one node. Statements that read
 * or write across tenants are told by what they do, and only checked for their functions.
 */
export function faultsOf(text: string, volatilities: Volatilities): readonly string[] {
  const sql = text.replaceAll('"', "").replace(/\s+/g, " ");
  return [...functionFaults(sql, volatilities), ...returningFaults(sql), ...(isAcross(sql) ? [] : tenantFaults(sql))];
}

function isAcross(sql: string): boolean {
  return sql.includes("reeve.platform") || /insert into reeve\.dues .* from unnest\(/.test(sql);
}

function functionFaults(sql: string, volatilities: Volatilities): string[] {
  const changes = sql.match(/\b(?:insert into|update|delete from) reeve\..*?(?= returning |$)/g) ?? [];
  return changes.flatMap((change) => {
    const conflict = /do update set .*/.exec(change)?.[0] ?? "";
    const body = change.startsWith("update") ? change : "";
    return [
      ...called(body, volatilities, "v").map((name) => `${name} is volatile, in an update`),
      ...called(conflict, volatilities, "vs").map((name) => `${name} is not immutable, in a conflict clause`),
    ];
  });
}

function called(sql: string, volatilities: Volatilities, kinds: string): string[] {
  const names = [...sql.matchAll(/\b(\w+)\(/g)].map(([, name]) => name as string);
  return names.filter((name) => [...(volatilities.get(name) ?? "")].some((kind) => kinds.includes(kind)));
}

/** Rows are copied to other nodes without it, which row-level security forbids. */
function returningFaults(sql: string): string[] {
  const parts = sql.match(/ as \((?:insert into|update|delete from) .*?(?=\), \w+ as \(|\) select (?!\$)|$)/g) ?? [];
  return parts.flatMap((part) =>
    part.includes(" returning ") ? [] : [`a change returns nothing: ${part.slice(0, 60)}`],
  );
}

function tenantFaults(sql: string): string[] {
  const inserts = [
    ...sql.matchAll(/\binsert into reeve\.(\w+)(?: as \w+)? \(tenant_id, [^)]*\) (?:values \(|select )(\S+?)[,) ]/g),
  ];
  const strange = inserts.flatMap(([, table, value]) =>
    /^\$\d+(::text)?$/.test(value as string) ? [] : [`the tenant of a row of ${table} is ${value}`],
  );
  const count = sql.match(/\binsert into reeve\./g)?.length ?? 0;
  const sought = [...sql.matchAll(/\b(?:from|join|using|(?<!do )update) reeve\.(\w+)(?: (?:as )?(\w+))?/g)];
  const unbound = sought.flatMap(({ 1: table = "", 2: word = "", index }) => {
    if (SHARED.includes(table)) return [];
    const alias = CLAUSE.test(word) ? "" : word;
    const bound = alias
      ? new RegExp(`\\b${alias}\\.tenant_id = (?:\\$\\d+|\\w+\\.tenant_id)|(?<![.\\w])tenant_id = \\$\\d+`).test(sql)
      : /(?<![.\w])tenant_id = \$\d+/.test(sql.slice(index));
    return bound ? [] : [`rows of ${table} are sought without the tenant as a parameter`];
  });
  return [...strange, ...(inserts.length === count ? [] : ["an insert does not begin with its tenant"]), ...unbound];
}
