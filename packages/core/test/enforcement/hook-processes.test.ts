import { type Answer, createWorld, newInstallation, type Scene, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ulidSource } from "#testing/index.js";
import { storeAt } from "../helpers/address.js";
import { type Command, Planes, sending } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const reason = "because a test wants it so";

/** What stops the calls of an installation, as a request to the other process. */
interface Stop {
  readonly name: string;
  readonly ask: (scene: Scene, place: Place) => Command;
}

interface Place {
  readonly id: string;
  readonly agentId: string;
  readonly policyId: string;
  readonly sessionId: string;
}

const asOwner = ({ owner }: Scene, method: string, path: string, body: object) =>
  sending(method, `/api/v1${path}`, { token: owner.token, body });

const STOPS: readonly Stop[] = [
  {
    name: "a revoked installation",
    ask: (scene, { id }) => asOwner(scene, "POST", `/ai/installations/${id}/revoke`, { reason }),
  },
  {
    name: "a suspended agent",
    ask: (scene, { agentId }) =>
      asOwner(scene, "PATCH", `/ai-assets/${agentId}/governance-state`, { status: "suspended", reason }),
  },
  {
    name: "a terminated session",
    ask: (scene, { sessionId }) => asOwner(scene, "POST", `/ai/sessions/${sessionId}/terminate`, { reason }),
  },
  {
    name: "a policy that is no longer in force",
    ask: (scene, { policyId }) =>
      asOwner(scene, "PUT", `/ai-governance/policies/${policyId}`, { status: "disabled", reason }),
  },
  {
    name: "a kill switch of the tenant",
    ask: (scene) =>
      sending("POST", `/api/v1/support/kill-switches/ai.tenant.${scene.tenantId}`, {
        token: scene.provider.owner.token,
        body: { status: "engaged", reason },
      }),
  },
];

describe.each(["sqlite", "postgres"] as const)("a hook of another process on one %s database", (kind) => {
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

  /** An installation whose agent may run one command, with a session that is known to both processes. */
  async function place() {
    const scene = world.a;
    const command = scene.unique();
    const call = { tool: "Bash", arguments: { command } };
    const rule = {
      key: "r0",
      effect: "allow",
      if: `action.properties.arguments.command == "${command}"`,
      message: "It may.",
    };
    const tests = [{ name: "t", input: { action: { name: "tools/call", properties: call } }, expect: "allow" }];
    const policyId = await scene.newPolicy("runtime", { rules: [rule], tests, status: "active" });
    const { id, credential, agentId } = await newInstallation(scene);
    const done = async (method: string, path: string, body?: object) => {
      const more = { token: scene.owner.token, ...(body ? { body } : {}) };
      const { status, json, text } = await world.send(method, `/api/v1${path}`, more);
      expect(status, text).toBeLessThan(300);
      return json;
    };
    const tool = await done("POST", "/ai/tools", { name: scene.unique(), toolName: "Bash", origin: "builtin" });
    const [agent] = (await done("GET", `/ai/agents?assetId=${agentId}`)).items;
    await done("PUT", `/ai/agents/${agent.id}`, { toolIds: [tool.assetId] });
    const question = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      tool_name: "Bash",
      tool_input: { command },
    };
    const hook = sending("POST", "/api/v1/hooks/claude-code", { token: credential, body: question });
    /** Whether each process lets the call be made: only an answer that says so lets it. */
    const allows = async () =>
      (await planes.all<Answer>(hook)).map(
        ({ status, json }) => status === 200 && json.hookSpecificOutput?.permissionDecision === "allow",
      );
    await vi.waitFor(async () => expect(await allows()).toEqual([true, true]), { interval: 50, timeout: 20_000 });
    const [session] = (await done("GET", `/ai/sessions?agentId=${agentId}`)).items;
    return { scene, allows, of: { id, agentId, policyId, sessionId: session.id as string } };
  }

  it.each(STOPS)("denies the next call after $name", async ({ ask }) => {
    const { scene, allows, of } = await place();
    const stopped = await planes.run<Answer>(0, ask(scene, of));
    expect(stopped.status, stopped.text).toBeLessThan(300);
    // No clock advances, so no cache expires: the other process must have been told.
    await vi.waitFor(async () => expect(await allows()).toEqual([false, false]), { interval: 50, timeout: 20_000 });
  });
});
