import type { QuotaClaim } from "@reeve/core/store";
import { expect } from "vitest";
import { thing } from "../builders.js";
import { things } from "../collections.js";
import type { CaseGroup, Contract } from "../contract.js";

const MINUTE = 60_000;
const quota = (patch: Partial<QuotaClaim> = {}): QuotaClaim => ({
  key: "k",
  limit: 10,
  until: MINUTE,
  spent: 0,
  wanted: 1,
  ...patch,
});

const take = ({ store, owner }: Contract, ...claims: QuotaClaim[]) => store.reserveQuota(owner.tenantId, claims, 0);

export const quotaCases: CaseGroup = {
  "as much is granted as is left": async (c) => {
    expect(await take(c, quota({ wanted: 6 }))).toEqual([{ granted: 6, left: 4 }]);
    expect(await take(c, quota({ wanted: 6 }))).toEqual([{ granted: 4, left: 0 }]);
    expect(await take(c, quota({ wanted: 6 }))).toEqual([{ granted: 0, left: 0 }]);
    expect(await take(c, quota({ key: "new", limit: 3, wanted: 6 }))).toEqual([{ granted: 3, left: 0 }]);
  },
  "what was spent unasked counts, also beyond the limit": async (c) => {
    expect(await take(c, quota({ spent: 8, wanted: 6 }))).toEqual([{ granted: 2, left: 0 }]);
    expect(await take(c, quota({ spent: 5, wanted: 0 }))).toEqual([{ granted: 0, left: 0 }]);
    expect(await take(c, quota({ limit: 20, wanted: 9 }))).toEqual([{ granted: 5, left: 0 }]);
    expect(await take(c, quota({ key: "new", spent: 12, wanted: 1 }))).toEqual([{ granted: 0, left: 0 }]);
    expect(await take(c, quota({ key: "new", limit: 15, wanted: 9 }))).toEqual([{ granted: 3, left: 0 }]);
  },
  "a later window begins afresh, an earlier one counts in the one that is known": async (c) => {
    await take(c, quota({ wanted: 10 }));
    expect(await take(c, quota({ until: 2 * MINUTE, wanted: 4 }))).toEqual([{ granted: 4, left: 6 }]);
    expect(await take(c, quota({ until: MINUTE, wanted: 4 }))).toEqual([{ granted: 4, left: 2 }]);
    expect(await take(c, quota({ until: 2 * MINUTE, wanted: 4 }))).toEqual([{ granted: 2, left: 0 }]);
  },
  "claims of one call are answered in their order": async (c) => {
    const [z, a, m] = [quota({ key: "z" }), quota({ key: "a", wanted: 2 }), quota({ key: "m", wanted: 3 })];
    const grants = await take(c, z, a, m);
    expect(grants.map(({ granted }) => granted)).toEqual([1, 2, 3]);
    expect(await take(c)).toEqual([]);
  },
  "a quota of one tenant is no other's": async (c) => {
    await take(c, quota({ wanted: 10 }));
    expect(await c.store.reserveQuota(c.stranger.tenantId, [quota({ wanted: 6 })], 0)).toEqual([
      { granted: 6, left: 4 },
    ]);
    expect(await take(c, quota({ wanted: 1 }))).toEqual([{ granted: 0, left: 0 }]);
  },
  "callers at once get the limit together, and no more": async (c) => {
    const calls = Array.from({ length: c.parallel }, (_, n) => {
      const claims = [quota({ key: "p", limit: 40, wanted: 3 }), quota({ key: "q", limit: 40, wanted: 2 })];
      return take(c, ...(n % 2 === 0 ? claims : claims.reverse()));
    });
    const granted = (await Promise.all(calls)).map((grants, n) => (n % 2 === 0 ? grants : [...grants].reverse()));
    const sum = (at: number) => granted.reduce((total, grants) => total + (grants[at]?.granted ?? 0), 0);
    expect([sum(0), sum(1)]).toEqual([Math.min(40, 3 * c.parallel), Math.min(40, 2 * c.parallel)]);
  },
  "windows that have passed may be forgotten, current ones never": async (c) => {
    await take(c, quota({ key: "lasting", until: 9 * MINUTE, wanted: 10 }));
    for (let n = 0; n < 120; n++) {
      const claims = [quota({ key: `passing-${n}`, until: MINUTE })];
      await c.store.reserveQuota(c.owner.tenantId, claims, n < 60 ? 0 : 5 * MINUTE);
    }
    expect(await take(c, quota({ key: "lasting", until: 9 * MINUTE }))).toEqual([{ granted: 0, left: 0 }]);
  },
  "K11 quotas are granted while a transaction of another tenant is open": async (c) => {
    await c.store.transaction(c.stranger.tenantId, async (tx) => {
      await tx.count(things);
      await tx.insert(things, thing(1));
      expect(await take(c, quota({ wanted: 6 }))).toEqual([{ granted: 6, left: 4 }]);
    });
    await c.store
      .transaction(c.owner.tenantId, async (tx) => {
        await tx.insert(things, thing(1));
        await tx.count(things);
        expect(await take(c, quota({ wanted: 3 }))).toEqual([{ granted: 3, left: 1 }]);
        throw new Error("undone");
      })
      .catch(() => undefined);
    expect(await take(c, quota({ wanted: 3 }))).toEqual([{ granted: 1, left: 0 }]);
  },
  "claims that make no sense are refused": async (c) => {
    const wrong = [{ limit: 1.5 }, { until: -1 }, { spent: Number.NaN }, { wanted: Number.POSITIVE_INFINITY }];
    for (const patch of wrong) await expect(take(c, quota(patch))).rejects.toThrow(TypeError);
    await expect(take(c, quota(), quota())).rejects.toThrow(TypeError);
  },
};
