import type { Change } from "@reeve/core/store";
import { expect, vi } from "vitest";
import { account, at, idOf, setting, successor, thing } from "../builders.js";
import { accounts, settings, things } from "../collections.js";
import type { CaseGroup, Contract } from "../contract.js";

/** The changes that a listener got, by tenant and collection, distinct and in order. */
async function listening({ store }: Pick<Contract, "store">) {
  const reported = new Set<string>();
  await store.watch?.((change: Change | undefined) => {
    for (const name of change?.collections ?? []) reported.add(`${change?.tenantId} ${name}`);
  });
  return {
    reported,
    hears: (...what: string[]) => vi.waitFor(() => expect([...reported].sort()).toEqual(what.sort()), 5_000),
  };
}

export const watchingCases: CaseGroup = {
  "every kind of write to a watched collection is told, with its tenant": async (c) => {
    const first = account(1);
    const writes = [
      () => c.owner.insert(accounts, first),
      () => c.owner.replace(accounts, successor(first), first),
      () => c.owner.remove(accounts, successor(first), at(9)),
    ];
    for (const write of writes) {
      const { hears } = await listening(c);
      await write();
      await hears(`${c.owner.tenantId} ${accounts.name}`);
    }
  },
  "whoever is told reads what was committed": async (c) => {
    let report: (read: Promise<unknown>) => void = () => {};
    const seen = new Promise((resolve) => {
      report = resolve;
    });
    // What is committed before the store listens is told without its tenant.
    await c.store.watch?.((change) => change && report(c.owner.get(accounts, idOf("acc", 1))));
    await c.owner.insert(accounts, account(1));
    expect(await seen).toMatchObject({ id: idOf("acc", 1), version: 1 });
  },
  "what only touches other collections is not told": async (c) => {
    const { hears } = await listening(c);
    await c.owner.insertMany(things, [thing(1), thing(2)]);
    await c.owner.insert(settings, setting("a", 1));
    await c.stranger.insert(accounts, account(1));
    await hears(`${c.stranger.tenantId} ${accounts.name}`);
  },
  "what is rolled back is not told": async (c) => {
    const { hears } = await listening(c);
    const failing = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(accounts, account(1));
      await tx.count(accounts);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await c.stranger.insert(accounts, account(2));
    await hears(`${c.stranger.tenantId} ${accounts.name}`);
  },
  "a transaction over two tenants is told of both": async (c) => {
    const { hears } = await listening(c);
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(accounts, account(1));
      await tx.as(c.stranger.tenantId).insert(accounts, account(2));
    });
    await hears(`${c.owner.tenantId} ${accounts.name}`, `${c.stranger.tenantId} ${accounts.name}`);
  },
  "every listener is told": async (c) => {
    const listeners = await Promise.all([listening(c), listening(c), listening(c)]);
    await c.owner.insert(accounts, account(1));
    for (const { hears } of listeners) await hears(`${c.owner.tenantId} ${accounts.name}`);
  },
};

/** For stores that cannot hear of other processes: the cases to skip, with the reason. */
export function unwatchable(reason: string) {
  return Object.keys(watchingCases).map((name) => ({ case: `watching > ${name}`, reason }));
}
