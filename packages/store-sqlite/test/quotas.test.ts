import Database from "better-sqlite3";
import { expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "./support.js";

const MINUTE = 60_000;
const claim = (key: string, until = MINUTE) => ({ key, limit: 10, until, spent: 0, wanted: 1 });

it("quotas are forgotten once their window has passed", async () => {
  const { store, file } = await openStore();
  for (let n = 0; n < 100; n++) await store.reserveQuota("t", [claim(`old-${n}`)], 0);
  for (let n = 0; n < 100; n++) await store.reserveQuota("t", [claim("new", 9 * MINUTE)], 2 * MINUTE);
  const db = new Database(`${file}-quotas`, { readonly: true });
  onTestFinished(() => void db.close());
  expect(db.prepare("select key from reeve_quotas").pluck().all()).toEqual(["new"]);
});

it("quotas of a tenant that is gone end with their window, whoever takes some then", async () => {
  const { store, file } = await openStore();
  await store.reserveQuota("gone", [claim("old")], 0);
  for (let n = 0; n < 50; n++) await store.reserveQuota("t", [claim("new", 9 * MINUTE)], 2 * MINUTE);
  const db = new Database(`${file}-quotas`, { readonly: true });
  onTestFinished(() => void db.close());
  expect(db.prepare("select tenant_id from reeve_quotas").pluck().all()).toEqual(["t"]);
});

it("quotas leave the safety of other writes as it was", async () => {
  const pragma = vi.spyOn(Database.prototype, "pragma");
  const { store } = await openStore();
  await store.reserveQuota("t", [claim("k")], 0);
  pragma.mockClear();
  await store.reserveQuota("t", [claim("k")], 0);
  expect(pragma.mock.calls).toEqual([]);
  pragma.mockRestore();
});

it("K11 a transaction of another tenant that holds the file, here or in another process, delays no quota", async () => {
  const { store, file } = await openStore({ busyTimeoutMs: 200 });
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  expect(await store.reserveQuota("t", [claim("k")], 0)).toEqual([{ granted: 1, left: 9 }]);
  other.exec("rollback");
  await store.transaction("other", async (tx) => {
    await tx.scanEvents({ size: 1 });
    expect(await store.reserveQuota("t", [claim("k")], 0)).toEqual([{ granted: 1, left: 8 }]);
  });
});
