import { expect } from "vitest";
import { account, at, idOf, ids, setting, successor, thing } from "../builders.js";
import { accounts, settings, things } from "../collections.js";
import type { CaseGroup } from "../contract.js";
import { assertProgress } from "../walk.js";

export const platformCases: CaseGroup = {
  "a row is found by id in whatever tenant, and names it": async (c) => {
    await c.owner.insert(accounts, account(1));
    await c.stranger.insert(accounts, account(2));
    const tenants = [1, 2].map(async (n) => (await c.store.platform.get(accounts, idOf("acc", n)))?.tenantId);
    expect(await Promise.all(tenants)).toEqual([c.owner.tenantId, c.stranger.tenantId]);
    expect(await c.store.platform.get(accounts, idOf("acc", 3))).toBeUndefined();
  },
  "a row is found by key in whatever tenant, and names it": async (c) => {
    await c.owner.insert(accounts, account(1, { username: "ada" }));
    await c.stranger.insert(accounts, account(2, { email: "bob@example.org" }));
    const ada = await c.store.platform.lookup(accounts, "username", { username: "ada" });
    const bob = await c.store.platform.lookup(accounts, "email", { email: "bob@example.org" });
    expect([ada?.tenantId, ada?.value.username]).toEqual([c.owner.tenantId, "ada"]);
    expect([bob?.tenantId, bob?.id]).toEqual([c.stranger.tenantId, idOf("acc", 2)]);
    expect(await c.store.platform.lookup(accounts, "username", { username: "Ada" })).toBeUndefined();
  },
  "a key that holds within a tenant is held by one row of each": async (c) => {
    const tenants = [c.owner, c.stranger, c.tenant()];
    for (const [n, tenant] of tenants.entries())
      await tenant.insert(accounts, account(n + 1, { nick: "ada", createdAt: at(9 - n) }));
    await expect(c.stranger.insert(accounts, account(4, { nick: "ada" }))).rejects.toMatchObject({
      code: "duplicate",
      detail: { key: "nick" },
    });
    const held = await c.store.platform.lookupAll(accounts, "nick", { nick: "ada" }, 9);
    expect(held.map(({ tenantId, id }) => [tenantId, id])).toEqual(
      tenants.map(({ tenantId }, n) => [tenantId, idOf("acc", n + 1)]).reverse(),
    );
    expect(ids(await c.store.platform.lookupAll(accounts, "nick", { nick: "ada" }, 2))).toEqual([
      idOf("acc", 3),
      idOf("acc", 2),
    ]);
    expect((await c.stranger.lookup(accounts, "nick", { nick: "ada" }))?.id).toBe(idOf("acc", 2));
    expect(await c.stranger.lookupMany(accounts, "nick", [{ nick: "eve" }, { nick: "ada" }])).toMatchObject([
      undefined,
      { id: idOf("acc", 2) },
    ]);
  },
  "a key that holds within a tenant goes with its row": async (c) => {
    const [first, second] = [account(1, { nick: "ada" }), account(2, { nick: "ada" })];
    await c.owner.insert(accounts, first);
    await c.stranger.insert(accounts, second);
    await c.owner.remove(accounts, first, at(9));
    await c.stranger.replace(accounts, successor(second, { nick: "eve" }), second);
    expect(await c.store.platform.lookupAll(accounts, "nick", { nick: "ada" }, 9)).toEqual([]);
    await c.owner.insert(accounts, account(3, { nick: "ada" }));
    expect(ids(await c.store.platform.lookupAll(accounts, "nick", { nick: "ada" }, 9))).toEqual([idOf("acc", 3)]);
    expect(await c.store.platform.lookupAll(accounts, "nick", { nick: null }, 9)).toEqual([]);
  },
  "a key is looked up as far as it holds": async (c) => {
    const { platform } = c.store;
    await expect(async () => platform.lookup(accounts, "nick", { nick: "ada" })).rejects.toThrow(TypeError);
    await expect(async () => platform.lookupAll(accounts, "email", { email: "a" }, 1)).rejects.toThrow(TypeError);
    await expect(async () => platform.lookupAll(accounts, "nick", { nick: "a" }, 0)).rejects.toThrow(TypeError);
  },
  "a lookup by null finds nothing": async (c) => {
    await c.owner.insert(accounts, account(1));
    expect(await c.store.platform.lookup(accounts, "email", { email: null })).toBeUndefined();
  },
  "within a tenant only its own rows are seen": async (c) => {
    await c.owner.insert(accounts, account(1, { username: "ada" }));
    await c.stranger.insert(accounts, account(2));
    expect(await c.stranger.get(accounts, idOf("acc", 1))).toBeUndefined();
    expect(await c.stranger.lookup(accounts, "username", { username: "ada" })).toBeUndefined();
    expect(ids(await c.stranger.find(accounts, { size: 9 }))).toEqual([idOf("acc", 2)]);
    expect(ids(await c.owner.find(accounts, { where: { role: "member" }, size: 9 }))).toEqual([idOf("acc", 1)]);
    expect((await c.tenant().count(accounts)).count).toBe(0);
  },
  "a removed row is absent": async (c) => {
    const first = account(1, { username: "ada" });
    await c.owner.insert(accounts, first);
    await c.owner.remove(accounts, first, at(9));
    expect(await c.store.platform.get(accounts, idOf("acc", 1))).toBeUndefined();
    expect(await c.store.platform.lookup(accounts, "username", { username: "ada" })).toBeUndefined();
    expect((await c.store.platform.find(accounts, { size: 9 })).rows).toEqual([]);
  },
  "a replaced row is the new one": async (c) => {
    const first = account(1, { username: "ada" });
    await c.owner.insert(accounts, first);
    await c.owner.replace(accounts, successor(first, { username: "eve" }), first);
    expect((await c.store.platform.get(accounts, first.id))?.value.username).toBe("eve");
    expect(await c.store.platform.lookup(accounts, "username", { username: "ada" })).toBeUndefined();
    expect((await c.store.platform.lookup(accounts, "username", { username: "eve" }))?.version).toBe(2);
  },
  "all rows of all tenants are found newest first": async (c) => {
    for (let n = 1; n <= 12; n++) {
      const tenant = [c.owner, c.stranger, c.tenant()][n % 3];
      await tenant?.insert(accounts, account(n, { createdAt: at(Math.floor(n / 4)) }));
    }
    const wanted = Array.from({ length: 12 }, (_, n) => idOf("acc", 12 - n));
    for (const size of [1, 2, 5, 100]) {
      const seen: string[] = [];
      let page = await c.store.platform.find(accounts, { size });
      seen.push(...ids(page));
      while (page.next) {
        page = await c.store.platform.find(accounts, { size, after: page.next });
        seen.push(...ids(page));
        assertProgress(seen);
      }
      expect(seen, `size ${size}`).toEqual(wanted);
    }
  },
  "collections of tenant scope are refused": async (c) => {
    await c.owner.insert(things, thing(1, { slug: "s" }));
    await c.owner.insert(settings, setting("a", 1));
    await expect(async () => c.store.platform.get(things, idOf("thg", 1))).rejects.toThrow();
    await expect(async () => c.store.platform.lookup(things, "slug", { slug: "s" })).rejects.toThrow();
    await expect(async () => c.store.platform.find(things, { size: 1 })).rejects.toThrow();
    await expect(async () => c.store.platform.get(settings, "a")).rejects.toThrow();
    await expect(async () => c.store.platform.find(settings, { size: 1 })).rejects.toThrow();
  },
};
