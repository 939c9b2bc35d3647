import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import type { EmptyDatabase, Grounds } from "./grounds.js";
import { importItems } from "./import-items.js";
import type { Progress } from "./progress.js";
import { copyRows } from "./raw-writes.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

/** A first import against the driver alone for the same rows, and the same import again. Rates are items per second. */
export interface ImportFigures {
  readonly items: number;
  readonly imported: number;
  readonly raw: number;
  /** The median of the rounds' ratios. */
  readonly ratio: number;
  /** The rate of an import that changes nothing. */
  readonly unchanged: number;
  /** Peak resident memory of this process after transactions of the first import, in MiB. */
  readonly memoryMb: number;
}

type Round = Omit<ImportFigures, "items">;

const BATCH = 500;

/**
 * Imports into an empty database. Then the bare driver inserts the same rows into another one, in as many transactions.
 */
export async function measureImport(
  grounds: Pick<Grounds, "empty">,
  { imports: items, rounds }: { readonly imports: number; readonly rounds: number },
  progress: Progress,
): Promise<ImportFigures> {
  const made: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    const say = (what: string) => progress.at(`import, round ${round} of ${rounds}: ${what}`);
    const [subject, copy] = [await grounds.empty(), await grounds.empty()];
    try {
      made.push(await measureOnce(subject, copy, items, say));
    } finally {
      await subject.remove();
      await copy.remove();
    }
  }
  const of = (figure: keyof Round) => median(made.map((each) => each[figure]));
  return {
    items,
    imported: of("imported"),
    raw: of("raw"),
    ratio: of("ratio"),
    unchanged: of("unchanged"),
    memoryMb: of("memoryMb"),
  };
}

async function measureOnce(
  subject: EmptyDatabase,
  copy: EmptyDatabase,
  items: number,
  say: (what: string) => void,
): Promise<Round> {
  const controlPlane = openControlPlane(openStore(subject.database), { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Bench", ...PERSON },
  });
  const principal = await controlPlane.principalOf(tenantId, userId);
  let memory = 0;
  const run = async (expected: "created" | "unchanged") => {
    const started = performance.now();
    const report = await controlPlane.importAssets(principal, importItems(items), {
      batchSize: BATCH,
      total: items,
      onProgress({ done, perSecond }) {
        memory = Math.max(memory, process.memoryUsage().rss);
        say(`${done.toLocaleString("en")} of ${items.toLocaleString("en")} ${expected}, ${perSecond} a second`);
      },
    });
    if (report[expected] !== items) throw new Error(`only ${report[expected]} of ${items} are ${expected}`);
    return (items / (performance.now() - started)) * 1_000;
  };
  const imported = await run("created");
  const memoryMb = memory / 2 ** 20;
  const unchanged = await run("unchanged");
  await controlPlane.close();
  const store = openStore(copy.database);
  await store.migrate();
  await store.close();
  say("the same rows by the bare driver");
  const raw = items / (await copyRows(tenantId, subject.database, copy.database, Math.ceil(items / BATCH)));
  return { imported, raw, ratio: imported / raw, unchanged, memoryMb };
}
