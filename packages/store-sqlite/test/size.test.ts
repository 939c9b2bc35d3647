import { event, thing, things } from "@reeve/testkit";
import Sqlite from "better-sqlite3";
import { expect, it } from "vitest";
import { openStore } from "./support.js";

const EVENTS = 2_000;
/** What an event of two kilobytes may take with its place in the chain and in its streams. */
const AT_MOST = 3_000;

it("K19 an event takes little more than its own bytes", async () => {
  const { store, file } = await openStore();
  const data = JSON.stringify({ note: "x".repeat(1_400) });
  for (let n = 0; n < EVENTS; n += 200)
    await store.transaction("t", async (tx) => {
      for (let at = n; at < n + 200; at += 1) {
        await tx.insert(things, thing(at));
        await tx.append({ ...event(at), data });
      }
    });
  await store.close();
  const db = new Sqlite(file, { readonly: true });
  const bytes = db.prepare("select sum(pgsize) from dbstat where name like '%reeve_event%'").pluck().get() as number;
  db.close();
  expect(bytes / EVENTS).toBeGreaterThan(1_400);
  expect(bytes / EVENTS).toBeLessThan(AT_MOST);
});
