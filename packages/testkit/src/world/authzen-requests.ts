import { askOf, newRule } from "./decisions.js";
import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";
import { BARE, store } from "./stored-access.js";

const denials = new WeakMap<Scene, object>();

/** A question that somebody asks and that needs approval, with its denial. */
export async function newRequestableDenial(scene: Scene, { token }: Actor): Promise<object> {
  await newRule(scene, "require_approval");
  const asked = askOf(scene);
  const { json, text } = await scene.send("POST", "/access/v1/evaluation", { token, body: asked });
  if (!json.context?.access_request) throw new Error(text);
  const { evaluation_id, access_request } = json.context;
  return { ...asked, denial: { evaluation_id, expires_at: access_request.expires_at } };
}

/** A caller may be shown with a token that was spoilt. */
const soundOf = (scene: Scene, caller: Actor = scene.owner): Actor =>
  [scene.owner, ...Object.values(scene.actors)].find(({ userId }) => userId === caller.userId) ?? caller;

async function aDenial(scene: Scene, caller?: Actor): Promise<Record<string, string>> {
  denials.set(scene, await newRequestableDenial(scene, soundOf(scene, caller)));
  return {};
}

async function aTask(scene: Scene, caller?: Actor): Promise<Record<string, string>> {
  const asker = soundOf(scene, caller);
  const body = await newRequestableDenial(scene, asker);
  const { json, text } = await scene.send("POST", "/access/v1/requests", { token: asker.token, body });
  if (!json.task) throw new Error(text);
  return { id: json.task.id };
}

/** A task that can be read for some time. */
export async function newStoredTask(scene: Scene): Promise<void> {
  const approvalId = "apr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M";
  const item = { resource: { type: "thing", id: scene.unique() }, action: { name: "read" } };
  await store(scene, "authzen_tasks", "arq", {
    ...BARE,
    ...{ requestedBy: scene.owner.userId, expiresAt: "2027-01-05T00:00:00.000Z", bundled: false },
    items: [{ ...item, approvalId, decisionId: "dec_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }],
  });
}

/** The samples of the access request and approval profile of AuthZEN. */
export const authzenRequestSamples = {
  "authzenRequests.submit": { arrange: aDenial, body: (scene: Scene) => denials.get(scene) ?? {} },
  "authzenRequests.read": { arrange: aTask },
  "authzenRequests.cancel": { arrange: aTask, body: () => ({ reason: "not_needed" }) },
} as const satisfies Readonly<Record<string, Sample>>;
