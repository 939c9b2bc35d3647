import { expect } from "vitest";
import { account, event, idOf, ids, setting, thing } from "../builders.js";
import { accounts, settings, things } from "../collections.js";
import type { CaseGroup } from "../contract.js";
import { verifiedChain } from "./events.js";

const closed = { name: "StoreError", code: "closed" };

export const lifecycleCases: CaseGroup = {
  "the status names the kind and the newest migration": async (c) => {
    const status = await c.store.status();
    expect(status.kind).toMatch(/^[a-z]+$/);
    expect(status.migration.applied).toBe(status.migration.latest);
    expect(Number.isInteger(status.migration.latest)).toBe(true);
  },
  "the status tells the clock of a database that may be on another machine": async (c) => {
    const first = await c.store.status();
    expect("now" in first).toBe(first.kind === "postgres");
    if (first.now === undefined) return;
    const { now } = await c.store.status();
    expect(Number.isSafeInteger(first.now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual(first.now);
    expect(new Date(first.now).getUTCFullYear()).toBeGreaterThan(2_024);
  },
  "migrating again changes nothing": async (c) => {
    await c.owner.insert(things, thing(1));
    await c.store.migrate();
    await Promise.all([c.store.migrate(), c.store.migrate()]);
    expect(ids(await c.owner.scan(things, { size: 9 }))).toEqual([idOf("thg", 1)]);
    expect((await c.stranger.count(things)).count).toBe(0);
  },
  "closing twice is closing once": async (c) => {
    await c.store.close();
    await c.store.close();
    await Promise.all([c.store.close(), c.store.close()]);
  },
  "reads are refused after closing": async (c) => {
    await c.owner.insert(things, thing(1));
    await c.store.close();
    await expect(c.owner.get(things, idOf("thg", 1))).rejects.toMatchObject(closed);
    await expect(c.owner.getMany(things, [idOf("thg", 1)])).rejects.toMatchObject(closed);
    await expect(c.owner.lookup(things, "slug", { slug: "s" })).rejects.toMatchObject(closed);
    await expect(c.owner.find(things, { size: 1 })).rejects.toMatchObject(closed);
    await expect(c.owner.list(things, { size: 1 })).rejects.toMatchObject(closed);
    await expect(c.owner.count(things)).rejects.toMatchObject(closed);
    await expect(c.owner.countBy(things, "kind")).rejects.toMatchObject(closed);
    await expect(c.owner.scan(things, { size: 1 })).rejects.toMatchObject(closed);
    await expect(c.owner.events({ size: 1 })).rejects.toMatchObject(closed);
    await expect(c.owner.event(idOf("evt", 1))).rejects.toMatchObject(closed);
    await expect(c.owner.scanEvents({ size: 1 })).rejects.toMatchObject(closed);
  },
  "writes are refused after closing": async (c) => {
    await c.store.close();
    await expect(c.owner.insert(things, thing(1))).rejects.toMatchObject(closed);
    await expect(c.owner.insertMany(things, [thing(1)])).rejects.toMatchObject(closed);
    await expect(c.owner.append(event(1))).rejects.toMatchObject(closed);
    await expect(c.store.transaction(c.owner.tenantId, async () => 1)).rejects.toMatchObject(closed);
  },
  "everything else is refused after closing": async (c) => {
    await c.store.close();
    await expect(c.store.status()).rejects.toMatchObject(closed);
    await expect(c.store.migrate()).rejects.toMatchObject(closed);
    await expect(c.store.platform.get(accounts, idOf("acc", 1))).rejects.toMatchObject(closed);
    await expect(c.store.platform.lookup(accounts, "username", { username: "a" })).rejects.toMatchObject(closed);
    await expect(c.store.platform.find(accounts, { size: 1 })).rejects.toMatchObject(closed);
    await expect(c.store.forTenant("ten_later").get(things, idOf("thg", 1))).rejects.toMatchObject(closed);
  },
  "closing waits for what is under way": async (c) => {
    const steps: string[] = [];
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(1));
      steps.push("closing");
      const closing = c.store.close().then(() => steps.push("closed"));
      await new Promise((resolve) => setImmediate(resolve));
      await tx.insert(things, thing(2));
      steps.push("committing");
      return { closing };
    });
    const { closing } = await work;
    await closing;
    expect(steps).toEqual(["closing", "committing", "closed"]);
  },
  "what was stored outlives the store": async (c) => {
    await c.owner.insertMany(things, [thing(1, { kind: "tool", note: "needle", slug: "s" }), thing(2)]);
    await c.owner.insert(settings, setting("a", { text: "ü😀" }));
    await c.owner.insert(accounts, account(1));
    await c.owner.append(event(1, ["a"]), event(2));
    await c.store.close();
    const again = await c.reopen();
    const owner = again.forTenant(c.owner.tenantId);
    expect((await owner.get(things, idOf("thg", 1)))?.value).toEqual(
      thing(1, { kind: "tool", note: "needle", slug: "s" }),
    );
    expect(ids(await owner.find(things, { search: "needle", size: 9 }))).toEqual([idOf("thg", 1)]);
    expect((await owner.get(settings, "a"))?.value.value).toEqual({ text: "ü😀" });
    expect([await owner.count(things), await owner.countBy(things, "kind")]).toEqual([
      { count: 2, exact: true },
      new Map([["tool", 1]]),
    ]);
    await owner.append(event(3));
    expect(await verifiedChain(owner)).toBe(3);
    expect((await again.platform.get(accounts, idOf("acc", 1)))?.tenantId).toBe(c.owner.tenantId);
    await expect(owner.insert(things, thing(3, { slug: "s" }))).rejects.toMatchObject({ code: "duplicate" });
    expect((await again.forTenant(c.stranger.tenantId).count(things)).count).toBe(0);
    await again.close();
  },
  "a rollback leaves nothing to outlive the store": async (c) => {
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(1));
      await tx.append(event(1));
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    await c.store.close();
    const again = await c.reopen();
    const owner = again.forTenant(c.owner.tenantId);
    expect([(await owner.count(things)).count, await verifiedChain(owner)]).toEqual([0, 0]);
    await again.close();
  },
};
