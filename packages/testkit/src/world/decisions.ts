import type { Actor, Scene } from "./scene.js";
import { storeInForce } from "./stored-policy.js";

/** Enforces a runtime policy whose one rule is about a new action (`scene.picked`). Returns its id. */
export async function newRule(
  scene: Scene,
  effect: "allow" | "deny" | "require_approval" | "warn",
  more: object = {},
): Promise<string> {
  const name = scene.unique();
  scene.picked = name;
  const rules = [{ key: "named", effect, if: `action.name == "${name}"`, message: name }];
  const tests = [{ name, input: { action: { name } }, expect: effect }];
  return scene.newPolicy("runtime", { rules, tests, status: "active", ...more });
}

/** A request for a decision about that action. */
export function askOf({ picked }: Scene) {
  return { subject: { type: "user", id: picked }, action: { name: picked }, resource: { type: "thing", id: picked } };
}

/** Lets somebody without approval rights ask for an action that needs approval. Returns the id of the request. */
export async function newApproval(scene: Scene, as: Actor = scene.actors.operator): Promise<string> {
  await newRule(scene, "require_approval");
  return askFor(scene, as);
}

/** The same, by a policy that is stored in force: the owner made every account, so each activation would be flagged. */
export async function newFirstApproval(scene: Scene): Promise<string> {
  const id = await newRule(scene, "require_approval", { status: "draft" });
  await storeInForce(scene, id);
  return askFor(scene, scene.actors.operator);
}

async function askFor(scene: Scene, { token }: Actor): Promise<string> {
  const asked = await scene.send("POST", "/api/v1/ai/policies/evaluate", { token, body: askOf(scene) });
  if (asked.json.status !== "require_approval") throw new Error(asked.text);
  return asked.json.context.approval.id;
}

const withReason = () => ({ reason: "because a test wants it so" });
const anApproval = async (scene: Scene) => ({ id: await newApproval(scene) });

/** An approval that was given and not used. */
async function aGivenApproval(scene: Scene) {
  const id = await newApproval(scene);
  const path = `/api/v1/ai-governance/approvals/${id}/approve`;
  const { token } = scene.owner;
  const given = await scene.send("PATCH", path, { token, body: withReason(), headers: { "if-match": "*" } });
  if (given.status !== 200) throw new Error(given.text);
  return { id };
}

/** A gating policy in force, which somebody asks to take out of force. */
async function aPendingChange(scene: Scene) {
  const id = await scene.newPolicy("posture", { gate: true, status: "active" });
  const body = { status: "disabled", ...withReason() };
  const path = `/api/v1/ai-governance/policies/${id}`;
  const asked = await scene.send("PUT", path, {
    token: scene.actors.admin.token,
    headers: { "if-match": "*" },
    body,
  });
  if (!asked.json.pending) throw new Error(asked.text);
  scene.picked = asked.json.pending.digest;
  return { id };
}

/** Samples of the operations on decisions, and on what decides. */
export const decisionSamples = {
  "aiGovernancePolicies.decideChange": {
    arrange: aPendingChange,
    body: ({ picked }: Scene) => ({ decision: "decline", digest: picked }),
  },
  "aiPolicies.evaluate": {
    arrange: async (scene: Scene): Promise<Record<string, string>> => {
      await newRule(scene, "allow");
      return {};
    },
    body: askOf,
  },
  "aiApprovals.list": {},
  "aiApprovals.read": { arrange: anApproval },
  "aiApprovals.approve": { arrange: anApproval, body: withReason },
  "aiApprovals.reject": { arrange: anApproval, body: withReason },
  "aiApprovals.withdraw": { arrange: aGivenApproval, body: withReason },
};
