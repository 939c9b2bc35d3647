import type { Actor, Scene } from "./scene.js";

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
  const asked = await scene.send("POST", "/api/v1/ai/policies/evaluate", { token: as.token, body: askOf(scene) });
  if (asked.json.status !== "require_approval") throw new Error(asked.text);
  return asked.json.context.approval.id;
}

const anApproval = async (scene: Scene) => ({ id: await newApproval(scene) });
const withReason = () => ({ reason: "because a test wants it so" });

/** Samples of the operations on decisions. */
export const decisionSamples = {
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
};
