import type Database from "better-sqlite3";

/** A tenant's row numbers in a search index start at its number times this. */
export const TENANT_SPAN = 2n ** 32n;
const AFTER_MS = 20;
const BATCH = 32;

/** Adds new assets to the trigram index after their commit. */
export class SearchIndex {
  readonly #tenants = new Map<string, number>();
  readonly #next: Database.Statement<[number], { n: number; tenant_id: string; text: string }>;
  readonly #put: Database.Statement;
  readonly #done: Database.Statement;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly db: Database.Database) {
    this.#next =
      db.prepare(`select p.n, p.tenant_id, t.search_text as text from reeve_search_pending p join reeve_ai_assets t on t.n = p.n
      where p.collection = 'ai_assets' order by p.n limit ?`);
    this.#put = db.prepare("insert or replace into reeve_ai_assets_fts (rowid, text) values (?, ?)");
    this.#done = db.prepare(
      "delete from reeve_search_pending where collection = 'ai_assets' and tenant_id = ? and n = ?",
    );
  }

  /** Call after a write. */
  written(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#someLeft()) this.written();
    }, AFTER_MS).unref();
  }

  /** Indexes some rows. If another process holds the database, it tries again later. */
  #someLeft(): boolean {
    try {
      return this.indexSome(BATCH) > 0;
    } catch (error) {
      if ((error as { code?: string }).code === "SQLITE_BUSY") return true;
      throw error;
    }
  }

  /** Indexes at most `limit` rows in one transaction and returns how many. */
  indexSome(limit: number): number {
    const rows = this.#next.all(limit);
    if (rows.length === 0) return 0;
    this.db
      .transaction(() => {
        for (const { n, tenant_id: tenant, text } of rows) {
          this.#put.run(BigInt(this.tenantNumber(tenant)) * TENANT_SPAN + BigInt(n), text);
          this.#done.run(tenant, n);
        }
      })
      .immediate();
    return rows.length;
  }

  /** A tenant's number in the index, assigned at first use. */
  tenantNumber(tenantId: string): number {
    let number = this.#tenants.get(tenantId);
    if (number === undefined) {
      this.db.prepare("insert or ignore into reeve_search_tenants (tenant_id) values (?)").run(tenantId);
      number = this.db
        .prepare("select no from reeve_search_tenants where tenant_id = ?")
        .pluck()
        .get(tenantId) as number;
      this.#tenants.set(tenantId, number);
    }
    return number;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
