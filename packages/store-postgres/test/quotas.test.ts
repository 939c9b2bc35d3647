import { setting, settings } from "@reeve/testkit";
import { expect, it } from "vitest";
import { connect, freshStore } from "./support.js";

const MINUTE = 60_000;
const claim = (key: string, until = MINUTE) => ({ key, limit: 10, until, spent: 0, wanted: 1 });

it("quotas are taken from while a transaction of the tenant is open", async () => {
  const { store } = await freshStore();
  await store.transaction("t", async (tx) => {
    await tx.insert(settings, setting("a", 1));
    expect(await tx.get(settings, "a")).toBeDefined();
    expect(await store.reserveQuota("t", [claim("k")], 0)).toEqual([{ granted: 1, left: 9 }]);
  });
});

it("quotas are forgotten once their window has passed", async () => {
  const { store, url } = await freshStore();
  const admin = await connect(url);
  for (let n = 0; n < 100; n++) await store.reserveQuota("t", [claim(`old-${n}`)], 0);
  for (let n = 0; n < 100; n++) await store.reserveQuota("t", [claim("new", 9 * MINUTE)], 2 * MINUTE);
  expect((await admin.query("select key from quotas")).rows).toEqual([{ key: "new" }]);
});
