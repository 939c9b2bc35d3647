import { type ApplyResult, ConnectorError, defineConnector, type GrantSpec } from "@reeve/core/connectors";
import { StoreError, type Transaction } from "@reeve/core/store";
import { createWorld as createFullWorld, ScriptedAccess, ScriptedConnector, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { accessReconciliations } from "#families/access-grants/reconciliation/schema.js";
import { accessBench } from "../../helpers/access.js";
import { emptyStore } from "../../helpers/stores.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REASON = { reason: "The agent does not need it." };
const access = new ScriptedAccess();
const { manifest, ...methods } = access.connector;

/** What the target of a lagging connector shows, which is what it had when this was taken. */
let shown: string[] = [];
const keyOf = ({ parameters }: GrantSpec) => JSON.stringify(parameters);
const heldIn = (account: unknown) => [...access.account(account as string).held.values()].map(keyOf);

/** Its copy is a while behind what it does. */
const lagging = defineConnector({
  ...methods,
  manifest: { ...manifest, providerKey: "lagging", limits: { propagationSeconds: 120 } },
  verify: async (_ctx, spec) => ({
    presence: shown.includes(keyOf(spec)) ? "present" : "absent",
    authoritative: false,
  }),
});

const { verify: _verify, ...unasked } = methods;
/** It cannot be asked what it has. */
const silent = defineConnector({
  ...unasked,
  manifest: {
    ...manifest,
    providerKey: "silent",
    capabilities: manifest.capabilities.filter((one) => one !== "verify"),
  },
});

/** What people at the target have said of a ticket. */
const tickets = new Map<string, ApplyResult>();
/** People do at the target what it is asked to do, later. */
const byTicket = defineConnector({
  ...methods,
  manifest: { ...manifest, providerKey: "by-ticket" },
  grant: async () => ({ outcome: "accepted", externalOpRef: "grant", pollAfterSeconds: 60 }),
  revoke: async () => ({ outcome: "accepted", externalOpRef: "revoke", pollAfterSeconds: 60 }),
  pollOperation: async (_ctx, ref) =>
    tickets.get(ref) ?? { outcome: "accepted", externalOpRef: ref, pollAfterSeconds: 60 },
});

/** What the next grant of the narrow target does before anything else. */
let firstGrant: (() => Promise<void>) | undefined;
/** It takes one call at a time. */
const narrow = defineConnector({
  ...methods,
  manifest: { ...manifest, providerKey: "narrow", limits: { concurrency: 1 } },
  grant: async (ctx, spec) => {
    const before = firstGrant;
    firstGrant = undefined;
    await before?.();
    return methods.grant?.(ctx, spec) as Promise<ApplyResult>;
  },
});

/** Access that somebody was invited to at the target, until they accept. */
const invited = new Set<string>();
/** It invites people. A revocation withdraws the invitation. */
const inviting = defineConnector({
  ...methods,
  manifest: { ...manifest, providerKey: "inviting" },
  grant: async (_ctx, spec) => {
    invited.add(spec.grantKey);
    return { outcome: "accepted", externalOpRef: spec.grantKey, pollAfterSeconds: 3_600 };
  },
  revoke: async (ctx, spec) => {
    if (!invited.delete(spec.grantKey)) return methods.revoke?.(ctx, spec) as Promise<ApplyResult>;
    return { outcome: "applied" };
  },
  pollOperation: async (_ctx, externalOpRef) =>
    invited.has(externalOpRef)
      ? { outcome: "accepted", externalOpRef, pollAfterSeconds: 3_600 }
      : { outcome: "declined", reason: "It has ended." },
});

/** Grants that a target has taken on, and makes when it comes to it. */
const queued = new Map<string, () => Promise<unknown>>();
/** Nobody can ask it how far it is. A revocation takes a grant from its queue. */
const queueing = defineConnector({
  ...methods,
  manifest: { ...manifest, providerKey: "queueing" },
  grant: async (ctx, spec) => {
    queued.set(spec.grantKey, async () => methods.grant?.(ctx, spec));
    return { outcome: "accepted", externalOpRef: spec.grantKey, pollAfterSeconds: 60 };
  },
  revoke: async (ctx, spec) => {
    queued.delete(spec.grantKey);
    return methods.revoke?.(ctx, spec) as Promise<ApplyResult>;
  },
});

/** The same object with another method. */
const withMethod = <T extends object>(of: T, method: string, replaced: unknown): T =>
  new Proxy(of, {
    get(target, name) {
      const value = name === method ? replaced : (Reflect.get(target, name) as unknown);
      return typeof value === "function" && name !== method ? value.bind(target) : value;
    },
  });

const appended =
  (tx: Transaction) =>
  async (...events: readonly { readonly attributes: string }[]) => {
    if (failOn !== undefined && events.some(({ attributes }) => attributes.includes(failOn as string)))
      throw new StoreError("unavailable", "No room for events.");
    return tx.append(...(events as never[]));
  };

let world: World;
/** Fails the commit of the next transaction that appends such an event. */
let failOn: string | undefined;
beforeAll(async () => {
  const store = await emptyStore();
  const transaction: typeof store.transaction = (tenantId, work, kind) =>
    store.transaction(tenantId, (tx) => work(withMethod(tx, "append", appended(tx))), kind);
  const failing = withMethod(store, "transaction", transaction);
  const kinds = [lagging, silent, byTicket, inviting, queueing, narrow];
  const connectors = [new ScriptedConnector().connector, access.connector, ...kinds];
  world = { ...(await createFullWorld({ store: failing, connectors, tokenLifetime: 86_400 })), access };
});

const later = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  await world.controlPlane.tick();
};

describe("a reconciliation", () => {
  it("pitfall 8: does nothing twice because the target shows it late", async () => {
    const bench = await accessBench(world, { providerKey: "lagging" });
    const id = await bench.decide({ parameters: { of: "lagging" }, duration: "P1D" });
    await later(MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "active" });
    // A copy that may be older than the grant tells nothing. Another holder has the reconciliation look all the same.
    expect((await bench.act(id, "repair", REASON)).json).toMatchObject({ action: "none", presence: "unknown" });
    const beside = await bench.decide({ parameters: { of: "lagging" }, duration: "P1D" });
    await later(MINUTE / 2);
    expect((await bench.read(beside)).status).toBe("active");
    expect(bench.account.calls.filter((method) => method === "grant")).toHaveLength(1);
    shown = heldIn(bench.account.name);
    await later(3 * MINUTE);
    expect(bench.account.calls.filter((method) => method === "grant")).toHaveLength(1);
    await bench.act(beside, "revoke", REASON);
    await bench.act(id, "revoke", REASON);
    await later(MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "revoked" });
    const second = await bench.decide({ parameters: { of: "lagging" } });
    await later(MINUTE);
    expect([(await bench.read(second)).status, bench.account.held.size]).toEqual(["active", 1]);
  });

  it("rests on the target's word where it cannot be asked, and says so", async () => {
    const bench = await accessBench(world, { providerKey: "silent" });
    const first = await bench.decide();
    bench.account.script = (method, phase) => {
      if (method === "grant" && phase === "after") throw new ConnectorError("outcome_unknown", "Lost.");
    };
    await later(MINUTE);
    bench.account.script = undefined;
    await later(MINUTE);
    expect(await bench.read(first)).toMatchObject({ status: "active", unverified: true, observedBy: "grant_result" });
    const second = await bench.decide();
    await later(MINUTE);
    expect((await bench.read(second)).status).toBe("active");
    expect(bench.account.calls.filter((method) => method === "grant")).toHaveLength(2);
    expect((await bench.act(first, "verify")).json).toMatchObject({
      presence: "unknown",
      failure: { errorClass: "unsupported" },
    });
    await bench.act(first, "revoke", REASON);
    await bench.act(second, "revoke", REASON);
    await later(MINUTE);
    expect([(await bench.read(second)).status, bench.account.held.size]).toEqual(["revoked", 0]);
  });

  it("waits for what people at the target do later, and takes their no for a no", async () => {
    const bench = await accessBench(world, { providerKey: "by-ticket" });
    const id = await bench.decide({ duration: "P1D" });
    await later(MINUTE);
    await later(5 * MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "pending" });
    tickets.set("grant", { outcome: "applied" });
    await later(2 * MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "active", observedBy: "grant_result" });
    const refused = await bench.decide({ parameters: { of: "another" } });
    tickets.set("grant", { outcome: "declined", reason: "Not here." });
    await later(MINUTE);
    await later(2 * MINUTE);
    expect(await bench.read(refused)).toMatchObject({ status: "failed", failure: { errorClass: "declined" } });
  });

  // On PostgreSQL the second may look only when the first has written.
  it.skipIf(inject("store") === "postgres")(
    "looks again before it writes, once its process may have lost it while it waited for its turn",
    async () => {
      const bench = await accessBench(world, { providerKey: "narrow" });
      const both = [
        await bench.decide({ duration: "P1D" }),
        await bench.decide({ duration: "P1D", parameters: { of: "another" } }),
      ];
      const where = { connectorInstanceId: bench.connectorInstanceId };
      const begun = async () => {
        const { rows } = await world.store.forTenant(world.a.tenantId).find(accessReconciliations, { where, size: 9 });
        return rows.filter(({ value }) => value.acting === "grant").length;
      };
      firstGrant = async () => {
        await expect.poll(begun).toBe(2);
        world.clock.advance(5 * MINUTE);
      };
      bench.account.calls.length = 0;
      await later(MINUTE);
      const [first, second, ...rest] = bench.account.calls;
      expect([first, second, rest[0]], "both look, and the first writes").toEqual(["verify", "verify", "grant"]);
      const [, ...afterwards] = rest;
      expect(afterwards.filter((method) => method === "grant")).toHaveLength(1);
      expect(afterwards.slice(0, afterwards.indexOf("grant")), "it looks again").toContain("verify");
      for (const id of both) expect((await bench.read(id)).status).toBe("active");
    },
  );

  it("withdraws at once what the target has taken on and nobody wants any more", async () => {
    const bench = await accessBench(world, { providerKey: "inviting" });
    const id = await bench.decide({ duration: "P1D" });
    await later(MINUTE);
    expect([(await bench.read(id)).status, invited.size]).toEqual(["pending", 1]);
    await bench.act(id, "revoke", REASON);
    await later(MINUTE);
    expect(invited.size).toBe(0);
    await later(MINUTE);
    expect(await bench.read(id)).toMatchObject({ targetState: "absent", failure: null });
  });

  it("does not take a grant for ended that the target has yet to make", async () => {
    const bench = await accessBench(world, { providerKey: "queueing" });
    const id = await bench.decide({ duration: "P1D" });
    await later(MINUTE);
    expect([(await bench.read(id)).status, queued.size]).toEqual(["pending", 1]);
    await bench.act(id, "revoke", REASON);
    for (let ticks = 0; ticks < 3; ticks += 1) await later(MINUTE);
    expect(queued.size, "it was asked to revoke what is not there yet").toBe(0);
    expect(await bench.read(id)).toMatchObject({ targetState: "unknown", failure: null });
  });

  it("withdraws it also where its connection is deleted, which ends then", async () => {
    const bench = await accessBench(world, { providerKey: "inviting" });
    await bench.decide({ duration: "P1D" });
    await later(MINUTE);
    expect(invited.size).toBe(1);
    const token = world.a.actors.owner.token;
    const path = `/api/v1/connector-instances/${bench.connectorInstanceId}`;
    const removal = await world.send("DELETE", `${path}?mode=revoke_first&reason=It%20is%20over.`, { token });
    expect(removal.status, removal.text).toBeLessThan(300);
    for (let ticks = 0; ticks < 4; ticks += 1) await later(MINUTE);
    expect(invited.size).toBe(0);
    expect((await world.send("GET", path, { token })).status).toBe(404);
  });

  it("is told of as a finding when the target has not done for a day what it took on", async () => {
    const bench = await accessBench(world, { providerKey: "by-ticket" });
    tickets.delete("grant");
    await bench.decide({ duration: "P1D" });
    const findings = async () => {
      const path = `/api/v1/ai-governance/findings?source=access&assetId=${bench.assetId}`;
      const { items } = (await world.send("GET", path, { token: world.a.actors.owner.token })).json;
      return items.filter(({ ruleKey }: { ruleKey: string }) => ruleKey === "target_overdue");
    };
    await later(MINUTE);
    await later(23 * HOUR);
    expect(await findings()).toEqual([]);
    world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
    await later(2 * HOUR);
    expect(await findings()).toMatchObject([
      { status: "open", severity: "medium", ruleKey: "target_overdue", evidence: { values: { acting: "grant" } } },
    ]);
    await later(HOUR);
    expect(await findings()).toMatchObject([{ occurrences: 1 }]);
    tickets.set("grant", { outcome: "applied" });
    await later(HOUR);
    expect(await findings()).toMatchObject([{ status: "resolved" }]);
  });

  it("pitfall 10: changes nothing whose event cannot be stored", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    failOn = "access.assignment.status.changed";
    await later(MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "pending" });
    expect((await bench.act(id, "revoke", REASON)).status).toBe(503);
    expect(await bench.read(id)).toMatchObject({ status: "pending", endReason: null });
    failOn = undefined;
    await later(10 * MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "active", preExisting: false });
  });
});
