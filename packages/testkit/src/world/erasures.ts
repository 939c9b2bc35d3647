import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";

const PATH = "/api/v1/ai-governance/audit/erasures";
const reason = "because a test wants it so";

/** Asks for the events of a new user to be erased. Returns the id of the request. */
export async function newErasure(scene: Scene): Promise<string> {
  const text = scene.unique();
  const { userId: subjectId } = await scene.newUser([]);
  const body = { subjectId, reason: `because of ${text}`, metadata: { note: text } };
  const asked = await scene.send("POST", PATH, { token: scene.owner.token, body });
  if (asked.status !== 201) throw new Error(asked.text);
  return asked.json.id;
}

const anErasure = async (scene: Scene) => ({ id: await newErasure(scene) });

export const erasureSamples = {
  "aiGovernance.listErasures": {},
  "aiGovernance.readErasure": { arrange: anErasure },
  "aiGovernance.eraseEvents": {
    arrange: async (scene) => {
      scene.picked = (await scene.newUser([])).userId;
      return {};
    },
    body: ({ picked }) => ({ subjectId: picked, reason }),
  },
  // Who asks for it does not approve it.
  "aiGovernance.decideErasure": { arrange: anErasure, body: () => ({ decision: "decline", reason }) },
} satisfies Record<string, Sample>;
