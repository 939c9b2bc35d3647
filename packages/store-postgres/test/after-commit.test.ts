import { thing, things } from "@reeve/testkit";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Session } from "../src/connect/session.js";
import { connect, freshStore } from "./support.js";

describe("what is asked for after a transaction", () => {
  it("leaves with what commits, on the same connection", async () => {
    const { store } = await freshStore({ poolSize: 1 });
    await store.forTenant("t").insert(things, thing(1));
    const [alone, both] = [vi.spyOn(Session.prototype, "send"), vi.spyOn(Session.prototype, "sendTogether")];
    const asked = await store.transaction("t", async (tx) => {
      const found = tx.afterCommit.find(things, { size: 9 });
      const known = tx.afterCommit.lookup(things, "slug", { slug: "s" });
      await tx.insert(things, thing(2, { slug: "s" }));
      return { found, known };
    });
    expect((await asked.found).rows).toHaveLength(2);
    expect((await asked.known)?.id).toBe(thing(2).id);
    expect(alone).not.toHaveBeenCalled();
    expect(both.mock.calls.map(([batches]) => batches.map((steps) => steps.length))).toEqual([[2, 2]]);
  });

  it("fails alone: what commits is done", async () => {
    const { store, url } = await freshStore();
    await (await connect(url)).query("revoke select on event_streams from reeve_app");
    const asked = await store.transaction("t", async (tx) => {
      const broken = tx.afterCommit.events({ stream: "s", size: 9 });
      broken.catch(() => undefined);
      await tx.insert(things, thing(1));
      return { broken };
    });
    await expect(asked.broken).rejects.toThrow("permission denied");
    expect((await store.forTenant("t").count(things)).count).toBe(1);
    // The connection still works.
    const again = await store.transaction("t", async (tx) => ({ found: tx.afterCommit.scan(things, { size: 9 }) }));
    expect(await again.found).toHaveLength(1);
  });

  it("is asked again by work that runs again", async () => {
    const { store } = await freshStore();
    const first = thing(1);
    await store.forTenant("t").insert(things, first);
    let runs = 0;
    const asked = await store.transaction(
      "t",
      async (tx) => {
        runs += 1;
        const found = tx.afterCommit.count(things);
        found.catch(() => undefined);
        await tx.get(things, first.id);
        await tx.insert(things, thing(2));
        return { found };
      },
      "reads a row and writes another",
    );
    expect(runs).toBe(2);
    expect((await asked.found).count).toBe(2);
  });

  it("by several leaves behind one commit, and fails for each alone", async () => {
    const { store, url } = await freshStore();
    await (await connect(url)).query("revoke select on event_streams from reeve_app");
    const both = vi.spyOn(Session.prototype, "sendTogether");
    const queued = queuedAtEach();
    const asked = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        store.transaction("t", async (tx) => {
          const stream = tx.afterCommit.events({ stream: "s", size: 9 });
          const found = tx.afterCommit.lookup(things, "slug", { slug: `s${n}` });
          stream.catch(() => undefined);
          found.catch(() => undefined);
          await tx.insert(things, thing(n, { slug: `s${n}` }));
          return n % 2 === 0 ? { stream, found } : { stream: undefined, found };
        }),
      ),
    );
    expect(Math.max(...both.mock.calls.map(([batches]) => batches.length))).toBeGreaterThan(2);
    expect(asked).toHaveLength(4);
    expect(Math.max(...queued)).toBe(0);
    expect((await store.forTenant("t").count(things)).count).toBe(4);
  });
});

/** How many queries waited in the driver when it was given each, which a coming version of it does not allow. */
function queuedAtEach(): number[] {
  const queued: number[] = [];
  const given = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    queued.push((this as unknown as { readonly _queryQueue: readonly unknown[] })._queryQueue.length);
    return Reflect.apply(given, this, args);
  });
  onTestFinished(() => spy.mockRestore());
  return queued;
}
