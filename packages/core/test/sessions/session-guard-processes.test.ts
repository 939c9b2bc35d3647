import { createWorld, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ulidSource } from "#testing/index.js";
import { storeAt } from "../helpers/address.js";
import { type Command, Planes } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const reason = "a reason of more than ten characters";
/** On PostgreSQL the guard gets broadcasts, long before its lease ends. On SQLite it reads when the lease is due. */
const LEASE_MS = { postgres: 60_000, sqlite: 600 };

describe.each(["sqlite", "postgres"] as const)("a session guarded in another process, on %s", (kind) => {
  let world: World;
  let planes: Planes;
  beforeAll(async () => {
    const address = await emptyDatabase(kind);
    const store = storeAt(address);
    undoLater(() => store.close());
    const config = { tokenLifetime: 86_400 };
    world = await createWorld({ ...config, store, ids: ulidSource() });
    planes = await Planes.start(2, { address, config });
  });

  let made = 0;
  /** Opens a guard for a new session in the second process. */
  async function guarded(more: Readonly<Record<string, unknown>> = {}): Promise<{ id: string; name: string }> {
    made += 1;
    const name = `guard ${made}`;
    const id = await world.a.newSession(more);
    const options = { tenantId: world.a.tenantId, sessionId: id, pepId: "far", leaseMs: LEASE_MS[kind] };
    await second({ do: "guard", name, options });
    expect(await second({ do: "check", name })).toBe("went on");
    return { id, name };
  }
  const second = async (command: Command) => {
    const [result] = await planes.race<string>((process) => (process === 1 ? [command] : []));
    return result;
  };
  const read = async (id: string) =>
    (await world.send("GET", `/api/v1/ai/sessions/${id}`, { token: world.a.owner.token })).json;
  const confirmed = (id: string, status: string) =>
    vi.waitFor(
      async () =>
        expect(await read(id)).toMatchObject({
          status,
          enforcement: { state: "confirmed", peps: [{ id: "far", outcome: "enforced" }] },
        }),
      { timeout: 30_000 },
    );

  it("is cancelled there by a termination here, and confirmed from there", async () => {
    const { id, name } = await guarded();
    const cancelled = second({ do: "aborted", name });
    expect((await world.a.askSession(id, "terminate", { reason })).json.enforcement.state).toBe("pending");
    expect(await cancelled).toMatch(/^terminat/);
    expect(await second({ do: "check", name })).toMatch(/^terminat\w+ a reason/);
    await confirmed(id, "terminated");
  });

  it("starts nothing there while it is suspended here, and goes on when it is resumed", async () => {
    const { id, name } = await guarded();
    await world.a.askSession(id, "suspend", { reason });
    await confirmed(id, "suspended");
    expect(await second({ do: "check", name })).toBe(`suspended ${reason}`);
    await world.a.askSession(id, "resume", {});
    await vi.waitFor(async () => expect(await second({ do: "check", name })).toBe("went on"), { timeout: 30_000 });
  });

  it("is cancelled there when its agent is suspended here, or a kill switch engaged", async () => {
    const [{ id }, other] = [await guarded(), await guarded()];
    const agentId = (await read(id)).agentId;
    await world.send("PATCH", `/api/v1/ai-assets/${agentId}/governance-state`, {
      token: world.a.owner.token,
      body: { status: "suspended", reason },
    });
    await confirmed(id, "suspended");
    const cancelled = second({ do: "aborted", name: other.name });
    const set = (status: string) =>
      world.send("POST", "/api/v1/support/kill-switches/ai.agents", {
        token: world.provider.owner.token,
        body: { status, reason },
      });
    // SQLite has no broadcast between processes. There, switches are read again after five seconds.
    await set("engaged");
    if (kind === "sqlite") planes.now = new Date(world.clock.now() + 6_000).toISOString();
    expect(await second({ do: "check", name: other.name })).toBeDefined();
    expect(await cancelled).toMatch(/active|terminat/);
    await set("released");
    if (kind === "sqlite") planes.now = new Date(world.clock.now() + 12_000).toISOString();
  });

  it("E1 is refused there while the model of its agent is rejected here, and goes on once it is not", async () => {
    const token = world.a.owner.token;
    const model = await world.a.newModel();
    const { assetId } = (await world.send("GET", `/api/v1/ai/models/${model}`, { token })).json;
    const { name } = await guarded({ agentId: await world.a.newAgent({ modelIds: [model] }) });
    const govern = (status: string, as = token) =>
      world.send("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, { token: as, body: { status, reason } });
    const cancelled = second({ do: "aborted", name });
    expect((await govern("suspended")).status).toBe(200);
    expect(await cancelled).toBe("active");
    expect(await second({ do: "check", name })).toContain("depends_on:governance_state:suspended");
    expect((await govern("unreviewed", world.a.actors.admin.token)).status).toBe(200);
    await vi.waitFor(async () => expect(await second({ do: "check", name })).toBe("went on"), { timeout: 30_000 });
  });

  it("is refused there while its agents are halted here, and goes on once that is lifted", async () => {
    const token = world.a.owner.token;
    const [one, other] = [await guarded(), await guarded({ agentId: null })];
    const cancelled = [one, other].map(({ name }) => second({ do: "aborted", name }));
    const halt = await world.send("POST", "/api/v1/ai/halts", { token, body: { scope: "all_agents", reason } });
    expect(halt.status).toBe(201);
    expect(await Promise.all(cancelled)).toEqual(["active", "active"]);
    const { id } = halt.json;
    for (const { name } of [one, other]) expect(await second({ do: "check", name })).toContain(`halt:all_agents:${id}`);
    expect((await world.send("POST", `/api/v1/ai/halts/${id}/lift`, { token, body: { reason } })).status).toBe(200);
    for (const { name } of [one, other])
      await vi.waitFor(async () => expect(await second({ do: "check", name })).toBe("went on"), { timeout: 30_000 });
  });

  it("counts what is spent in both processes against one limit", async () => {
    const { id, name } = await guarded({ limits: { maxIterations: 2 } });
    await world.a.askSession(id, "usage", { iterations: 2 });
    expect((await read(id)).control.reason).toBe("limit_reached:maxIterations");
    await confirmed(id, "suspended");
    expect(await second({ do: "check", name })).toBe("suspended limit_reached:maxIterations");
  });
});
