import type { Dues, DueTenant } from "@reeve/core/store";
import { expect } from "vitest";
import type { CaseGroup, Contract } from "../contract.js";

const MINUTE = 60_000;
const at = (minute: number) => new Date(minute * MINUTE).toISOString();
const FAR = at(1_000);

const makeDue = ({ store }: Contract, tenantId: string, ...minutes: number[]) =>
  store.transaction(tenantId, async (tx) => {
    for (const minute of minutes) await tx.due(at(minute));
  });

const claim = async (dues: Dues, tenantId: string, ms = MINUTE) => {
  const claimed = await dues.claim(tenantId, FAR, ms);
  if (claimed === undefined) throw new Error("it is claimed already");
  return claimed;
};

export const duesCases: CaseGroup = {
  "tenants are found from the time on that they have something due, the earliest first": async (c) => {
    const { dues } = c.store;
    await makeDue(c, c.owner.tenantId, 7, 5, 6);
    await makeDue(c, c.stranger.tenantId, 3);
    expect(await dues.find(at(2), 10)).toEqual([]);
    const [first, second] = [
      { tenantId: c.stranger.tenantId, at: at(3) },
      { tenantId: c.owner.tenantId, at: at(5) },
    ] as const;
    expect(await dues.find(at(3), 10)).toEqual([first]);
    expect(await dues.find(FAR, 10)).toEqual([first, second]);
    expect(await dues.find(FAR, 1)).toEqual([first]);
    expect(await dues.find(FAR, 10, first)).toEqual([second]);
    expect(await dues.find(FAR, 10, second)).toEqual([]);
  },
  "a later time changes nothing, an earlier one counts": async (c) => {
    await makeDue(c, c.owner.tenantId, 5);
    await makeDue(c, c.owner.tenantId, 8);
    expect(await c.store.dues.find(FAR, 10)).toEqual([{ tenantId: c.owner.tenantId, at: at(5) }]);
    await makeDue(c, c.owner.tenantId, 2);
    expect(await c.store.dues.find(FAR, 10)).toEqual([{ tenantId: c.owner.tenantId, at: at(2) }]);
  },
  "what is due is counted by who waits and who is claimed": async (c) => {
    const { dues } = c.store;
    expect(await dues.backlog(FAR)).toEqual({ waiting: 0, claimed: 0, oldestAt: null });
    await makeDue(c, c.owner.tenantId, 5);
    await makeDue(c, c.stranger.tenantId, 3);
    await dues.lower(["third"], at(7));
    expect(await dues.backlog(at(2))).toEqual({ waiting: 0, claimed: 0, oldestAt: null });
    expect(await dues.backlog(at(5))).toEqual({ waiting: 2, claimed: 0, oldestAt: at(3) });
    await claim(dues, c.stranger.tenantId);
    expect(await dues.backlog(FAR)).toEqual({ waiting: 2, claimed: 1, oldestAt: at(5) });
  },
  "many tenants at once": async (c) => {
    const { dues } = c.store;
    await makeDue(c, c.owner.tenantId, 1);
    const ids = Array.from({ length: 600 }, (_, n) => `tenant-${n}`);
    await dues.lower([...ids, c.owner.tenantId], at(4));
    await dues.lower([], at(1));
    const found: DueTenant[] = [];
    for (let after: DueTenant | undefined; ; after = found.at(-1)) {
      const some = await dues.find(at(4), 250, after);
      found.push(...some);
      if (some.length < 250) break;
    }
    expect(found).toHaveLength(601);
    expect(new Set(found.map(({ tenantId }) => tenantId)).size).toBe(601);
    expect(found[0]).toEqual({ tenantId: c.owner.tenantId, at: at(1) });
  },
  "a time that is rolled back is none": async (c) => {
    const failing = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.due(at(1));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await c.store.dues.find(FAR, 10)).toEqual([]);
  },
  "a tenant is claimed by one only, and once it is due": async (c) => {
    const { dues } = c.store;
    await makeDue(c, c.owner.tenantId, 5);
    expect(await dues.claim(c.owner.tenantId, at(4), MINUTE)).toBeUndefined();
    expect(await dues.claim("nobody", at(5), MINUTE)).toBeUndefined();
    const claims = await Promise.all(
      Array.from({ length: c.parallel }, () => dues.claim(c.owner.tenantId, at(5), MINUTE)),
    );
    expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await dues.find(FAR, 10)).toEqual([]);
  },
  "a claim ends with its time, is extended, and is given up": async (c) => {
    const { dues } = c.store;
    const { tenantId } = c.owner;
    await makeDue(c, tenantId, 5);
    const first = await claim(dues, tenantId, 0);
    const second = await claim(dues, tenantId, 0);
    expect(second).toBeGreaterThan(first);
    expect(await dues.renew(tenantId, first, MINUTE)).toBe(false);
    expect(await dues.renew(tenantId, second, MINUTE)).toBe(true);
    expect(await dues.claim(tenantId, FAR, MINUTE)).toBeUndefined();
    expect(await dues.renew(tenantId, second, 0)).toBe(true);
    expect(await claim(dues, tenantId)).toBeGreaterThan(second);
  },
  "the end of a claim says when something is due next": async (c) => {
    const { dues } = c.store;
    const { tenantId } = c.owner;
    await makeDue(c, tenantId, 5);
    const held = await claim(dues, tenantId);
    await c.store.transaction(tenantId, (tx) => tx.settleDue(held, at(9)));
    expect(await dues.find(at(8), 10)).toEqual([]);
    expect(await dues.find(at(9), 10)).toEqual([{ tenantId, at: at(9) }]);
  },
  "what becomes due during a claim stays, later than what it was claimed for as well": async (c) => {
    const { dues } = c.store;
    const { tenantId } = c.owner;
    await makeDue(c, tenantId, 5);
    const first = await claim(dues, tenantId);
    await makeDue(c, tenantId, 2);
    expect(await dues.renew(tenantId, first, 0)).toBe(true);
    expect(await dues.find(FAR, 10)).toEqual([{ tenantId, at: at(2) }]);
    const second = await claim(dues, tenantId);
    await makeDue(c, tenantId, 8, 7);
    await dues.lower([tenantId], at(9));
    await c.store.transaction(tenantId, (tx) => tx.settleDue(second, at(900)));
    expect(await dues.find(FAR, 10)).toEqual([{ tenantId, at: at(7) }]);
    const third = await claim(dues, tenantId);
    await c.store.transaction(tenantId, (tx) => tx.settleDue(third, at(900)));
    expect(await dues.find(FAR, 10)).toEqual([{ tenantId, at: at(900) }]);
  },
  "an outdated claim ends nothing": async (c) => {
    const { dues } = c.store;
    const { tenantId } = c.owner;
    await makeDue(c, tenantId, 5);
    const [old, current] = [await claim(dues, tenantId, 0), await claim(dues, tenantId)];
    await c.store.transaction(tenantId, (tx) => tx.settleDue(old, at(900)));
    expect(await dues.renew(tenantId, current, 0)).toBe(true);
    expect(await dues.find(FAR, 10)).toEqual([{ tenantId, at: at(5) }]);
  },
  "times come with records, events and reads of the same transaction": async (c) => {
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.due(at(6));
      await tx.events({ size: 1 });
      await tx.due(at(4));
    });
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.as(c.stranger.tenantId).due(at(3));
    });
    expect(await c.store.dues.find(FAR, 10)).toEqual([
      { tenantId: c.stranger.tenantId, at: at(3) },
      { tenantId: c.owner.tenantId, at: at(4) },
    ]);
  },
};
