import Database from "better-sqlite3";

const SIZE = 25;
const COUNT_LIMIT = 1_000;
const LIVE = "tenant_id = ? and removed_at is null";

/** The query of a list, as written in SQL. */
export interface FindingsQuery {
  /** Conditions on columns of `findings`. */
  readonly where?: readonly (readonly [column: string, values: readonly string[]])[];
  readonly orderBy?: string;
  /** A folded word of at least three characters. */
  readonly word?: string;
}

/**
 * The minimum that answers a list of findings: SQL, parse, stringify. It has no caller, checks no query and seals no
 * cursor.
 */
export class FindingsHandler {
  readonly #db: Database.Database;
  readonly #kept = new Map<string, Database.Statement>();

  constructor(
    file: string,
    private readonly tenantId: string,
  ) {
    this.#db = new Database(file, { readonly: true, timeout: 1_000 });
    this.#db.pragma("cache_size = -32768");
  }

  list({ where = [], orderBy = "created_at", word }: FindingsQuery): string {
    const conditions = where.map(([column, values]) => ` and ${column} in (${values.map(() => "?").join(", ")})`);
    const found =
      word === undefined
        ? ""
        : " and n in (select rowid & 4294967295 from reeve_findings_fts where reeve_findings_fts match ?)";
    const from = `from reeve_findings where ${LIVE}${conditions.join("")}${found}`;
    const values = [
      this.tenantId,
      ...where.flatMap(([, wanted]) => wanted),
      ...(word === undefined ? [] : [gramsOf(word)]),
    ];
    const rows = this.#of(`select body ${from} order by ${orderBy} desc, id desc limit ${SIZE}`).all(...values);
    const items = rows.map((row) => JSON.parse((row as [string])[0]) as object);
    return JSON.stringify({ items, page: 0, size: SIZE, totalItems: this.#total(from, values, conditions.length > 0) });
  }

  close(): void {
    this.#db.close();
  }

  #total(from: string, values: readonly string[], isFiltered: boolean): number {
    if (!isFiltered && values.length === 1) {
      const counter = "select n from reeve_counters where tenant_id = ? and collection = 'findings' and field = ''";
      return (this.#of(counter).get(this.tenantId) as [number] | undefined)?.[0] ?? 0;
    }
    const counted = this.#of(`select count(*) from (select 1 ${from} limit ${COUNT_LIMIT + 1})`).get(...values);
    return (counted as [number])[0];
  }

  #of(sql: string): Database.Statement {
    const kept = this.#kept.get(sql) ?? this.#db.prepare(sql).raw(true);
    this.#kept.set(sql, kept);
    return kept;
  }
}

/** The trigrams of a word. An index entry must have all of them. */
function gramsOf(word: string): string {
  const letters = [...word];
  return letters
    .slice(2)
    .map((_, at) => `"${letters.slice(at, at + 3).join("")}"`)
    .join(" ");
}
