import { StoreError, type Transaction } from "@reeve/core/store";
import { thing, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { emptyDatabase, openStore } from "./support.js";

/** The process remembers each kind, so every test has its own. */
const kind = () => expect.getState().currentTestName;

async function setUp() {
  const url = await emptyDatabase();
  const [store, other] = [openStore(url), openStore(url)];
  await store.migrate();
  await store.forTenant("t").insert(things, thing(1));
  return { store, other };
}

/** Reads the record in the transaction and raises its version by one. */
async function countUp(tx: Transaction, between: () => Promise<void> = async () => {}): Promise<void> {
  const row = await tx.get(things, thing(1).id);
  if (!row) throw new Error("not there");
  await between();
  await tx.replace(things, { ...row.value, version: row.value.version + 1 }, row.value);
}

const read = async (store: Awaited<ReturnType<typeof setUp>>["store"]) =>
  (await store.forTenant("t").get(things, thing(1).id))?.value;

it("reads a row before the lock, and runs again under it when the row changed meanwhile", async () => {
  const { store, other } = await setUp();
  let runs = 0;
  await store.transaction(
    "t",
    async (tx) => {
      runs += 1;
      // Another process commits in between, which the lock would prevent.
      await countUp(tx, async () => {
        if (runs === 1) await other.transaction("t", (theirs) => countUp(theirs));
      });
    },
    kind(),
  );
  expect(runs).toBe(2);
  expect((await read(store))?.version).toBe(3);
});

it("keeps the lock from the first read on when its kind reads what it does not write", async () => {
  const { store } = await setUp();
  const runs: string[] = [];
  const work = (name: string) => async (tx: Transaction) => {
    runs.push(name);
    await countUp(tx);
    await tx.count(things);
  };
  await store.transaction("t", work("first"), kind());
  await store.transaction("t", work("second"), kind());
  expect(runs).toEqual(["first", "first", "second"]);
  expect((await read(store))?.version).toBe(3);
});

it("does not decide by a row it only read", async () => {
  const { store, other } = await setUp();
  await store.forTenant("t").insert(things, thing(2));
  const decided: unknown[] = [];
  await store.transaction(
    "t",
    async (tx) => {
      const row = await tx.get(things, thing(1).id);
      if (decided.length === 0) await other.transaction("t", (theirs) => countUp(theirs));
      decided.push(row?.value.version);
      await tx.insert(things, thing(9));
    },
    kind(),
  );
  expect(decided).toEqual([1, 2]);
});

it("does not decide by what a row was before it read it again and wrote it", async () => {
  const { store, other } = await setUp();
  const decided: unknown[] = [];
  await store.transaction(
    "t",
    async (tx) => {
      const first = await tx.get(things, thing(1).id);
      if (decided.length === 0) await other.transaction("t", (theirs) => countUp(theirs));
      const second = await tx.get(things, thing(1).id);
      if (!second) throw new Error("not there");
      decided.push([first?.version, second.version]);
      const name = `decided at version ${first?.version}`;
      await tx.replace(things, { ...second.value, name, version: second.version + 1 }, second.value);
    },
    kind(),
  );
  expect(decided).toEqual([
    [1, 2],
    [2, 2],
  ]);
  expect(await read(store)).toMatchObject({ name: "decided at version 2", version: 3 });
});

it("tells who only reads what was committed, and stores nothing when the work refuses", async () => {
  const { store } = await setUp();
  const seen = await store.transaction("t", async (tx) => (await tx.get(things, thing(1).id))?.value.version, kind());
  expect(seen).toBe(1);
  const refused = store.transaction(
    "t",
    async (tx) => {
      await countUp(tx);
      throw new StoreError("refused", "no");
    },
    kind(),
  );
  await expect(refused).rejects.toMatchObject({ code: "refused" });
  expect((await read(store))?.version).toBe(1);
});

it("loses no count when many processes race", async () => {
  const { store, other } = await setUp();
  const racing = Array.from({ length: 40 }, (_, at) =>
    (at % 2 === 0 ? store : other).transaction("t", (tx) => countUp(tx), kind()),
  );
  await Promise.all(racing);
  expect((await read(store))?.version).toBe(41);
});
