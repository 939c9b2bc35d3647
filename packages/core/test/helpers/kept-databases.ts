import type { Store } from "@reeve/core";
import { type Connections, createStoreOnConnections } from "@reeve/store-postgres/testing";
import { createDatabase } from "@reeve/testkit/postgres";
import pg from "pg";

/** The most databases that a worker keeps for later tests. */
const MOST = 2;

/** A copy of a database, with connections whose statements stay prepared. */
interface Kept {
  readonly original: string;
  readonly url: string;
  readonly connections: { own?: Connections };
  readonly admin: pg.Client;
  /** Names the tables that transactions after one have changed. */
  readonly changed: { readonly name: string; readonly text: string };
  /** The last transaction that put rows back. */
  restored: string;
  readonly drop: () => Promise<void>;
}

/** Those that no test uses, the longest unused first. */
const idle: Kept[] = [];

/** Notes what is in a database that is to be copied, so that its copies can be put back to it. */
export const NOTE_ROWS = `CREATE SCHEMA original;
DO $do$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'reeve' LOOP
    EXECUTE format('CREATE TABLE original.%1$I AS TABLE reeve.%1$I', name);
  END LOOP;
END $do$`;

/**
 * A store on a copy of the database `original`, and a function that ends its use. The copy goes to later tests with its
 * rows put back, because a new database and new connections take longer than most tests.
 */
export async function keptStore(adminUrl: string, original: string): Promise<{ store: Store; end(): Promise<void> }> {
  const at = idle.findLastIndex((kept) => kept.original === original);
  const kept = idle.splice(at, at < 0 ? 0 : 1)[0] ?? (await newCopy(adminUrl, original));
  const store = createStoreOnConnections({ url: kept.url, poolSize: 6 }, (open) => {
    kept.connections.own ??= open();
    return new Loan(kept.connections.own);
  });
  // The original is migrated, so that its copies are.
  store.migrate = async () => undefined;
  return {
    store,
    async end() {
      await store.close();
      try {
        await restore(kept);
      } catch {
        await drop(kept);
        return;
      }
      idle.push(kept);
      if (idle.length > MOST) await drop(idle.shift() as Kept);
    },
  };
}

/** Connections for one store. At its end all are back. */
class Loan implements Connections {
  #lent = 0;
  #allBack: () => void = () => undefined;

  constructor(private readonly own: Connections) {}

  async connect(): Promise<pg.PoolClient> {
    this.#lent += 1;
    try {
      return await this.own.connect();
    } catch (error) {
      this.#back();
      throw error;
    }
  }

  giveBack(client: pg.PoolClient, broken: boolean): void {
    this.own.giveBack(client, broken);
    this.#back();
  }

  counts() {
    return this.own.counts();
  }

  end(): Promise<void> {
    if (this.#lent === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#allBack = resolve;
    });
  }

  #back(): void {
    this.#lent -= 1;
    if (this.#lent === 0) this.#allBack();
  }
}

async function newCopy(adminUrl: string, original: string): Promise<Kept> {
  const { url, drop } = await createDatabase(adminUrl, { template: original });
  const admin = new pg.Client({ connectionString: url });
  admin.on("error", () => undefined);
  await admin.connect();
  // Triggers keep events from being deleted, but a replica's session skips them.
  await admin.query("SET session_replication_role = replica; SET plan_cache_mode = force_generic_plan");
  const { rows } = await admin.query<{ text: string; restored: string }>(CHANGED);
  const { text = "", restored = "" } = rows[0] ?? {};
  return { original, url, connections: {}, admin, changed: { name: "changed", text }, restored, drop };
}

/** A query of the tables that have other rows than the original, and the present transaction. */
const CHANGED = `SELECT string_agg(format(
  'SELECT %1$L AS name FROM reeve.%1$I HAVING count(*) <> %2$s OR max(xmin::text::bigint) > $1', relname,
  (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM original.%I', relname), false, true, '')))[1]
), ' UNION ALL ') AS text, pg_current_xact_id()::text AS restored
FROM pg_class WHERE relnamespace = 'original'::regnamespace`;

/** Puts the rows back to those of the original. */
async function restore(kept: Kept): Promise<void> {
  const { rows } = await kept.admin.query<{ name: string }>({ ...kept.changed, values: [kept.restored] });
  const again = rows.map(
    ({ name }) => `DELETE FROM reeve."${name}"; INSERT INTO reeve."${name}" TABLE original."${name}";`,
  );
  const results: unknown = await kept.admin.query(
    `BEGIN; ${again.join("")} SELECT pg_current_xact_id()::text AS id; COMMIT`,
  );
  kept.restored = (results as pg.QueryResult<{ id: string }>[]).at(-2)?.rows[0]?.id as string;
}

async function drop(kept: Kept): Promise<void> {
  await kept.connections.own?.end();
  await kept.admin.end();
  await kept.drop();
}
