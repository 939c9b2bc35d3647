import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { stopsOfSessions } from "#families/sessions/sessions/report/stops.js";
import { type Session, sessions } from "#families/sessions/sessions/schema.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { environmentOf } from "../../helpers/environment.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/sessions";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const send = async (method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });
const context = () => systemContext(environmentOf(world), world.a.tenantId, "test");
const stored = async (id: string) => (await context().getOrThrow(sessions, id)) as Session;

describe("what stops sessions whatever their state", () => {
  it("is a deleted identity, for guards and for decisions", async () => {
    const identityId = await world.a.newIdentity();
    const { id } = (await send("POST", PATH, { identityId })).json;
    const session = await stored(id);
    expect((await stopsOfSessions(context(), [session]))(session)).toBeUndefined();
    const beat = async (what: string, body = {}) => (await send("POST", `${PATH}/${id}/${what}`, body)).json;
    expect(await beat("heartbeat")).toMatchObject({ status: "active", stoppedBy: null });
    await send("PUT", `/api/v1/ai/identities/${identityId}`, { status: "disabled" });
    expect(await beat("heartbeat")).toMatchObject({ status: "active", stoppedBy: expect.stringContaining("disabled") });
    expect((await beat("usage", { toolCalls: 1 })).stoppedBy).toContain("disabled");
    expect((await stopsOfSessions(context(), [session]))(session)).toContain("disabled");
    expect((await send("DELETE", `/api/v1/ai/identities/${identityId}`)).status).toBe(204);
    expect((await stopsOfSessions(context(), [session]))(session)).toBe("identity_unknown");
    const ask = { subject: { type: "session", id }, action: { name: "call" }, resource: { type: "thing", id: "x" } };
    const { json } = await send("POST", "/api/v1/ai/policies/evaluate", ask);
    expect(json.context.reasons).toMatchObject([
      { code: "asset_unknown", message: expect.stringContaining("identity") },
    ]);
  });

  it("is read for as many sessions as a process guards", async () => {
    const session = await stored(await world.a.newSession());
    const digits = (n: number) => String(n).padStart(26, "0");
    const many = Array.from({ length: 1_200 }, (_unused, n) => ({
      ...session,
      id: `ses_${digits(n)}`,
      agentId: `ast_${digits(n)}`,
      identityId: n % 2 === 0 ? null : `idn_${digits(n)}`,
    }));
    const stopOf = await stopsOfSessions(context(), [session, ...many]);
    expect(stopOf(session)).toBeUndefined();
  });
});

describe("a termination", () => {
  it("ends what a session has started that has ended meanwhile, also when it is asked of that one", async () => {
    const family = async () => {
      const root = await world.a.newSession();
      const middle = (await send("POST", PATH, { parentSessionId: root })).json.id;
      const last = (await send("POST", PATH, { parentSessionId: middle })).json.id;
      await send("PUT", `${PATH}/${middle}`, { status: "completed" });
      return { root, middle, last };
    };
    for (const asked of ["root", "middle"] as const) {
      const ids = await family();
      expect((await stored(ids.middle)).status).toBe("completed");
      await send("POST", `${PATH}/${ids[asked]}/terminate`, { reason: "because a test wants it so" });
      expect([(await stored(ids.middle)).status, (await stored(ids.last)).status]).toEqual(["completed", "terminated"]);
    }
  });
});
