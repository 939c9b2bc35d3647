import type { World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Principal, Store } from "../../../src/index.js";
import { createWorld } from "../../helpers/world.js";

const reason = "because a test wants it so";
let world: World;
let owner: Principal;
let agentId: string;
/** What happens while the next transaction of the tenant waits for its lock. */
let meanwhile: (() => Promise<void>) | undefined;

/** A store whose transactions wait, as behind another one of the same tenant. */
function waiting(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== "transaction") return typeof value === "function" ? value.bind(target) : value;
      return async (...given: Parameters<Store["transaction"]>) => {
        const work = given[0] === world.a.tenantId ? meanwhile : undefined;
        meanwhile = undefined;
        await work?.();
        return target.transaction(...given);
      };
    },
  });
}

async function move(key: string, status: "engaged" | "released"): Promise<void> {
  const body = { status, reason, configuration: { tenantId: world.a.tenantId } };
  const moved = await world.send("POST", `/api/v1/support/kill-switches/${key}`, {
    token: world.provider.owner.token,
    body,
  });
  expect(moved.status, moved.text).toBe(200);
}

beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 }, waiting);
  owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
  agentId = await world.a.newAsset({ assetType: "agent" });
});
beforeEach(() => {
  meanwhile = undefined;
});

const newSession = () =>
  world.send("POST", "/api/v1/ai/sessions", {
    token: world.a.owner.token,
    body: { agentId, userId: "ada", purpose: "a test" },
  });
const asked = { subject: { type: "agent", id: "x" }, action: { name: "look" }, resource: { type: "thing", id: "y" } };

describe("a kill switch that is engaged while work waits for the tenant's lock", () => {
  it.each(["ai.all", "ai.agents", "tenant", "asset"])("K3 %s lets no session begin", async (kind) => {
    const key = kind === "tenant" ? `ai.tenant.${world.a.tenantId}` : kind === "asset" ? `ai.asset.${agentId}` : kind;
    const before = await newSession();
    expect(before.status, before.text).toBe(201);
    expect(before.json.status).toBe("active");
    meanwhile = () => move(key, "engaged");
    const stopped = await newSession();
    expect(meanwhile).toBeUndefined();
    expect(stopped, stopped.text).toMatchObject({ status: 409, json: { code: "transition_guard_failed" } });
    expect(stopped.json.detail).toContain("kill_switch");
    meanwhile = () => move(key, "released");
    const resumed = await newSession();
    expect(resumed.json.status, resumed.text).toBe("active");
  });

  it("K3 lets no decision be given by what was judged before", async () => {
    const decide = async () => {
      const over = await world.send("POST", "/api/v1/ai/policies/evaluate", {
        token: world.a.owner.token,
        body: asked,
      });
      return over.json.context.reasons[0].code;
    };
    expect(await decide()).not.toBe("kill_switch");
    meanwhile = () => move("ai.all", "engaged");
    expect(await decide()).toBe("kill_switch");
    meanwhile = () => move("ai.all", "released");
    expect(await decide()).not.toBe("kill_switch");
    meanwhile = () => move("ai.all", "engaged");
    const { context } = await world.controlPlane.decide(owner, asked);
    expect(context?.reasons[0]?.code).toBe("kill_switch");
    await move("ai.all", "released");
  });
});
