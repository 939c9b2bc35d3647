import { statSync } from "node:fs";
import { thing, things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "./support.js";

const MIB = 1_024 * 1_024;

it("O10 tells of an outside reader that makes the WAL grow, once, and gives its space back afterwards", async () => {
  const warnings: string[] = [];
  const logger = { info() {}, error() {}, warn: (_: object, text: string) => void warnings.push(text) };
  const { store, file } = await openStore({ logger, synchronous: "NORMAL" });
  const tenant = store.forTenant("t");
  let n = 0;
  const write = async (records: number) => {
    for (const end = n + records; n < end; n++) await tenant.insert(things, thing(n, { note: "x".repeat(MIB) }));
  };
  const size = () => statSync(`${file}-wal`).size;
  await write(1);
  const reader = new Database(file, { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec("begin");
  reader.prepare("select count(*) from sqlite_schema").get();
  await write(80);
  expect(size()).toBeGreaterThan(64 * MIB);
  const reported = () => warnings.filter((text) => text.includes("-wal"));
  await expect.poll(reported).toHaveLength(1);
  await write(1);
  reader.exec("rollback");
  // What was copied back is begun anew by a later write.
  await expect
    .poll(async () => {
      await write(1);
      return size();
    })
    .toBeLessThanOrEqual(64 * MIB);
  expect(reported()).toHaveLength(1);
  expect((await tenant.count(things)).count).toBe(n);
});
