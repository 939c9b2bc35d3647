import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { NO_USAGE } from "#families/sessions/index.js";
import { SessionBlockedError, type SessionGuard, type SessionGuardOptions, type Store } from "../../../src/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const MOODS = ["failing", "hanging"] as const;
const reason = "a reason of more than ten characters";

/** A store whose reads can fail, hang, or return rows as first read. */
function fickle(inner: Store) {
  const state: { mood: "well" | "failing" | "hanging" | "behind"; readings: number } = { mood: "well", readings: 0 };
  const first = new Map<string, unknown>();
  const reader = (target: object): object =>
    new Proxy(target, {
      get(of, name) {
        const value = of[name as never] as unknown;
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          if (name === "getMany") state.readings += 1;
          if (state.mood === "failing") return Promise.reject(new Error("the store is gone"));
          if (state.mood === "hanging") return new Promise(() => {});
          const read = (value as (...args: unknown[]) => unknown).apply(of, given);
          if (name !== "getMany") return read;
          const question = `${(given[0] as { name: string }).name} ${given[1]}`;
          if (!first.has(question)) first.set(question, read);
          return state.mood === "behind" ? first.get(question) : read;
        };
      },
    });
  const store = new Proxy(inner, {
    get(target, name: keyof Store) {
      if (name === "forTenant") return (tenantId: string) => reader(target.forTenant(tenantId));
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store, state };
}

describe("the session guard", () => {
  let world: World;
  let state: ReturnType<typeof fickle>["state"];
  beforeEach(async () => {
    world = await createWorld({}, (inner) => {
      const made = fickle(inner);
      state = made.state;
      return made.store;
    });
    return () => world.controlPlane.close();
  });

  const guarding = async (sessionId: string, more: Partial<SessionGuardOptions> = {}): Promise<SessionGuard> =>
    world.controlPlane.sessionGuard({ tenantId: world.a.tenantId, sessionId, pepId: "pep-1", ...more });
  const read = async (id: string) =>
    (await world.send("GET", `/api/v1/ai/sessions/${id}`, { token: world.a.owner.token })).json;
  const enforced = (id: string, wanted: string) =>
    vi.waitFor(async () => expect((await read(id)).enforcement.state).toBe(wanted));
  const blocked = (check: Promise<unknown>) =>
    check.then(
      () => "went on",
      (error: unknown) => {
        expect(error).toBeInstanceOf(SessionBlockedError);
        const { status, reason: why, epoch } = error as SessionBlockedError;
        return [status, why, epoch];
      },
    );
  /** A tool that ends only when its signal aborts. */
  const endless = vi.fn(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );

  it("registers as an enforcement point, and lets an active session go on without asking the store", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id);
    expect((await read(id)).enforcementPoints).toMatchObject([{ id: "pep-1" }]);
    const before = state.readings;
    for (let index = 0; index < 1_000; index += 1) await guard.check();
    expect(state.readings).toBe(before);
    expect(guard.signal.aborted).toBe(false);
  });

  it("refuses at once after a termination, cancels what runs, and confirms it", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id);
    const call = blocked(guard.wrapTool(endless)());
    const { json } = await world.a.askSession(id, "terminate", { reason });
    expect(json).toMatchObject({ status: "terminating", controlEpoch: 1, enforcement: { state: "pending" } });
    // By now it may be terminated already.
    expect(await blocked(guard.check())).toEqual([expect.stringMatching(/^terminat(?:ing|ed)$/), reason, 1]);
    expect(await call).toEqual(["terminating", reason, 1]);
    await enforced(id, "confirmed");
    expect(await read(id)).toMatchObject({
      status: "terminated",
      usage: { toolCalls: 1 },
      enforcement: { peps: [{ id: "pep-1", outcome: "enforced" }] },
    });
  });

  it("does not say that it is done while a tool still runs that heeds no signal", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id);
    let end = (_value: string) => {};
    const deaf = guard.wrapTool(() => new Promise<string>((resolve) => (end = resolve)));
    const call = blocked(deaf());
    await vi.waitFor(() => expect(end).toBeTypeOf("function"));
    await guard.check();
    await world.a.askSession(id, "terminate", { reason });
    expect(await call).toEqual(["terminating", reason, 1]);
    expect((await read(id)).enforcement.state).toBe("pending");
    end("too late");
    await enforced(id, "confirmed");
  });

  it.each(["terminate", "suspend"])(
    "starts nothing more once a %s is confirmed, however many ask at once",
    async (verb) => {
      const id = await world.a.newSession();
      const guard = await guarding(id);
      let started = 0;
      const tool = guard.wrapTool(async () => {
        started += 1;
        await new Promise((resolve) => setImmediate(resolve));
      });
      const worker = async () => {
        for (;;) await tool();
      };
      const workers = Array.from({ length: 8 }, () => blocked(worker()));
      await vi.waitFor(() => expect(started).toBeGreaterThan(20));
      await world.a.askSession(id, verb, { reason });
      await enforced(id, "confirmed");
      const before = started;
      expect((await Promise.all(workers)).filter((outcome) => outcome === "went on")).toEqual([]);
      await blocked(tool());
      expect(started).toBe(before);
    },
  );

  it("lets a call finish when a suspension is graceful, starts none after it, and goes on once resumed", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id);
    let end = (_value: string) => {};
    const tool = guard.wrapTool(() => new Promise<string>((resolve) => (end = resolve)));
    const call = tool();
    await vi.waitFor(async () => expect(guard.check()).resolves.toBeUndefined());
    await world.a.askSession(id, "suspend", { reason });
    expect(await blocked(tool())).toEqual(["suspended", reason, 1]);
    expect(guard.signal.aborted).toBe(false);
    expect((await read(id)).enforcement.state).toBe("pending");
    end("done");
    expect(await call).toBe("done");
    await enforced(id, "confirmed");
    await world.a.askSession(id, "resume", { reason });
    await guard.check();
    expect(guard.signal.aborted).toBe(false);
  });

  it("cancels a call when a suspension is immediate, and has another signal once resumed", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id, { mode: "immediate" });
    const { signal } = guard;
    const call = blocked(guard.wrapTool(endless)());
    await world.a.askSession(id, "suspend", { reason });
    expect(await call).toEqual(["suspended", reason, 1]);
    expect(signal.aborted).toBe(true);
    await enforced(id, "confirmed");
    await world.a.askSession(id, "resume", { reason });
    await guard.check();
    expect(guard.signal.aborted).toBe(false);
  });

  it("holds back a result when the session ended while it was made", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id);
    const tool = guard.wrapTool(async () => {
      await world.a.askSession(id, "terminate", { reason });
      return "a secret";
    });
    expect(await blocked(tool())).toEqual([expect.stringMatching(/^terminat(?:ing|ed)$/), reason, 1]);
  });

  it("suspends the session when a limit is reached by what it has not even reported yet", async () => {
    const id = await world.a.newSession({ limits: { maxIterations: 3 } });
    const guard = await guarding(id);
    for (let index = 0; index < 3; index += 1) {
      await guard.check();
      guard.record({ iterations: 1, costUsd: 0.1 });
    }
    expect(await blocked(guard.check())).toEqual(["suspended", "limit_reached:maxIterations", 1]);
    expect(await read(id)).toMatchObject({
      status: "suspended",
      usage: { iterations: 3, costUsd: 0.3 },
      control: { triggeredBy: "policy", by: "system", reason: "limit_reached:maxIterations" },
    });
  });

  it("writes many reports down as one", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id);
    const before = (await eventsOf(world.a)).length;
    for (let index = 0; index < 50; index += 1) guard.record({ inputTokens: 10, outputTokens: 1 });
    await guard.close();
    expect(await read(id)).toMatchObject({
      usage: { inputTokens: 500, outputTokens: 50 },
      enforcementPoints: [],
    });
    expect((await eventsOf(world.a)).length).toBe(before + 1);
  });

  it.each([
    [{ costUsd: Number.NaN }, /costUsd/],
    [{ costUsd: Number.POSITIVE_INFINITY }, /costUsd/],
    [{ costUsd: -0.01 }, /costUsd/],
    [{ costUsd: "0.01" }, /costUsd/],
    [{ costUsd: 0.01, inputTokens: null }, /inputTokens/],
    [{ costUsd: 0.01, iterations: -100 }, /iterations/],
    [{ costUsd: 0.01, toolCalls: 0.5 }, /toolCalls/],
    [{ costUsd: 0.01, outputTokens: 1e300 }, /outputTokens/],
    [{ costUsd: 0.01, cost: 10 }, /cost/],
    [undefined, /object/],
    [7, /object/],
  ])("refuses to count the usage %j, and keeps the limit", async (usage, named) => {
    const id = await world.a.newSession({ limits: { maxCostUsd: 1 } });
    const guard = await guarding(id);
    const refusal = expect.objectContaining({ name: "TypeError", message: expect.stringMatching(named) });
    expect(() => guard.record(usage as never)).toThrow(refusal);
    const wrapped = guard.wrapTool(() => "done", { usage: () => usage as never });
    await expect(wrapped()).rejects.toEqual(refusal);
    guard.record({ inputTokens: undefined, costUsd: 1 } as never);
    expect(await blocked(guard.check())).toEqual(["suspended", "limit_reached:maxCostUsd", 1]);
    expect((await read(id)).usage).toEqual({ ...NO_USAGE, toolCalls: 1, costUsd: 1 });
  });

  it("stores what others report when the report of one is refused, and tries that one again", async () => {
    const { a, controlPlane, clock } = world;
    const operator = await controlPlane.principalOf(a.tenantId, a.actors.operator.userId);
    const sessionIds = [await a.newSession(), await a.newSession(), await a.newSession()];
    const guards: SessionGuard[] = [];
    for (const sessionId of sessionIds)
      guards.push(await controlPlane.sessionGuard({ principal: operator, sessionId, pepId: "pep-1", leaseMs: 300 }));
    // The registrations end, and somebody else takes the name in one session.
    clock.advance(60_000);
    const path = `/api/v1/ai/sessions/${sessionIds[1]}/heartbeat`;
    expect((await world.send("POST", path, { token: a.owner.token, body: { pepId: "pep-1" } })).status).toBe(200);
    for (const guard of guards) for (let index = 0; index < 100; index += 1) guard.record({ costUsd: 0.01 });
    const stored = () => Promise.all(sessionIds.map(async (id) => (await read(id)).usage.costUsd));
    await vi.waitFor(async () => expect(await stored()).toEqual([1, 0, 1]));
    clock.advance(60_000);
    await vi.waitFor(async () => expect(await stored()).toEqual([1, 1, 1]));
  });

  it.each(["ai.all", "ai.agents", "ai.tenant", "ai.asset"])(
    "refuses while the kill switch %s is engaged",
    async (key) => {
      const id = await world.a.newSession();
      const guard = await guarding(id);
      const call = blocked(guard.wrapTool(endless)());
      const { agentId } = await read(id);
      const { tenantId, provider } = world.a;
      const whole = key === "ai.tenant" ? `${key}.${tenantId}` : key === "ai.asset" ? `${key}.${agentId}` : key;
      const set = (status: string) =>
        world.send("POST", `/api/v1/support/kill-switches/${whole}`, {
          token: provider.owner.token,
          body: { status, reason, ...(key === "ai.asset" ? { configuration: { tenantId } } : {}) },
        });
      expect((await set("engaged")).status).toBe(200);
      expect(await blocked(guard.check())).not.toBe("went on");
      expect(await call).not.toBe("went on");
      await world.controlPlane.tick();
      const terminated = { status: "terminated", control: { triggeredBy: "policy" } };
      await vi.waitFor(async () => expect(await read(id)).toMatchObject(terminated));
      expect((await read(id)).control.reason).toMatch(/^kill_switch:/);
      const other = await world.b.newSession().catch((error: Error) => error.message);
      if (key === "ai.all" || key === "ai.agents") expect(other).toContain("agentUsable");
      else expect(other).toMatch(/^ses_/);
    },
  );

  it.each(MOODS)("closes within its lease when the store is %s, and opens again", async (mood) => {
    const id = await world.a.newSession();
    const guard = await guarding(id, { leaseMs: 300 });
    const { signal } = guard;
    const call = blocked(guard.wrapTool(endless)());
    state.mood = mood;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    expect(await call).toEqual(["unknown", "lease_lost", 0]);
    expect(await blocked(guard.check())).toEqual(["unknown", "lease_lost", 0]);
    state.mood = "well";
    await vi.waitFor(() => guard.check(), { timeout: 20_000 });
    expect(guard.signal.aborted).toBe(false);
  });

  it("holds on to what it knows when it reads from where a suspension has not arrived yet", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id, { leaseMs: 60_000 });
    world.clock.advance(60_000);
    await guard.check();
    await world.a.askSession(id, "suspend", { reason });
    expect(await blocked(guard.check())).toEqual(["suspended", reason, 1]);
    const before = state.readings;
    state.mood = "behind";
    for (let lease = 0; lease < 3; lease += 1) {
      world.clock.advance(60_000);
      expect(await blocked(guard.check())).toEqual(["suspended", reason, 1]);
    }
    expect(state.readings).toBeGreaterThan(before);
    state.mood = "well";
    await world.a.askSession(id, "resume", { reason });
    world.clock.advance(60_000);
    await guard.check();
  });

  it("goes by the control plane's clock as well: past the lease nothing goes on unread", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id, { leaseMs: 60_000 });
    state.mood = "failing";
    await guard.check();
    world.clock.advance(60_000);
    expect(await blocked(guard.check())).toEqual(["unknown", "lease_lost", 0]);
    state.mood = "well";
    await guard.check();
  });

  it("refuses while the tenant is suspended, which leaves its sessions as they are", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id);
    const call = blocked(guard.wrapTool(endless)());
    const { tenantId, provider } = world.a;
    const set = (status: string) =>
      world.send("POST", `/api/v1/support/tenants/${tenantId}/status`, {
        token: provider.owner.token,
        body: { status, reason },
      });
    expect((await set("suspended")).status).toBe(200);
    expect(await blocked(guard.check())).toEqual(["active", "tenant_suspended", 0]);
    expect(await call).toEqual(["active", "tenant_suspended", 0]);
    await set("active");
    await guard.check();
  });

  it("goes on refusing a session that has ended, without asking the store again", async () => {
    const id = await world.a.newSession();
    const guard = await guarding(id);
    await world.a.askSession(id, "terminate", { reason });
    await enforced(id, "confirmed");
    await blocked(guard.check());
    const before = state.readings;
    world.clock.advance(3_600_000);
    expect(await blocked(guard.check())).toEqual(["terminated", reason, 1]);
    expect(state.readings).toBe(before);
  });

  it("refuses a session that time has ended, whoever has written that down", async () => {
    const inAMinute = new Date(world.clock.now() + 60_000).toISOString();
    const guard = await guarding(await world.a.newSession({ expiresAt: inAMinute }));
    const idle = await guarding(await world.a.newSession({ limits: { idleTimeoutSec: 60 } }));
    await guard.check();
    world.clock.advance(60_000);
    expect(await blocked(guard.check())).toEqual(["expired", "expired", 0]);
    expect(await blocked(idle.check())).toEqual(["expired", "expired", 0]);
  });

  it("refuses what is asked of it once closed, and once its control plane is", async () => {
    const [one, other] = [await guarding(await world.a.newSession()), await guarding(await world.a.newSession())];
    await one.close();
    expect(await blocked(one.check())).toEqual(["closed", "closed", 0]);
    await world.controlPlane.close();
    expect(other.signal.aborted).toBe(true);
    expect(await blocked(other.check())).toEqual(["closed", "closed", 0]);
  });

  it("opens for sessions of its tenant that go on, and for whoever may report", async () => {
    const { a, b, controlPlane } = world;
    const foreign = await b.newSession();
    await expect(guarding(foreign)).rejects.toMatchObject({ code: "not_found" });
    const ended = await a.newSession();
    await a.askSession(ended, "terminate", { reason });
    expect(await blocked(guarding(ended))).toEqual(["terminated", reason, 1]);
    const sessionId = await a.newSession();
    const auditor = await controlPlane.principalOf(a.tenantId, a.actors.auditor.userId);
    await expect(controlPlane.sessionGuard({ principal: auditor, sessionId })).rejects.toMatchObject({
      code: "permission_denied",
    });
    const operator = await controlPlane.principalOf(a.tenantId, a.actors.operator.userId);
    const guard = await controlPlane.sessionGuard({ principal: operator, sessionId });
    await guard.check();
    await expect(controlPlane.sessionGuard({ sessionId })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(guarding(sessionId, { leaseMs: 99 })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("acknowledges once when several guards of a process stand for one session", async () => {
    const id = await world.a.newSession();
    await Promise.all(["one", "two", "three"].map((pepId) => guarding(id, { pepId })));
    await world.a.askSession(id, "terminate", { reason });
    await enforced(id, "confirmed");
    const { enforcement, status } = await read(id);
    expect([status, enforcement.peps.length]).toEqual(["terminated", 3]);
  });
});
