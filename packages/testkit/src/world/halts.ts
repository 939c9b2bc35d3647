import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";

/** Registers an agent of a team of its own. Returns the id of the team. */
async function newTeam(scene: Scene): Promise<string> {
  const id = scene.unique();
  await scene.newAsset({ assetType: "agent", team: { type: "team", id } });
  return id;
}

/** Halts the agents of a team of its own. Returns the id of the halt. */
async function newHalt(scene: Scene): Promise<string> {
  const text = scene.unique();
  const target = await newTeam(scene);
  const body = { scope: "team", target, name: text, reason: `because of ${text}`, metadata: { note: text } };
  const halted = await scene.send("POST", "/api/v1/ai/halts", { token: scene.owner.token, body });
  if (halted.status !== 201) throw new Error(halted.text);
  return halted.json.id;
}

/** Halts the agents of a team of its own, and lifts that. */
export async function newLiftedHalt(scene: Scene): Promise<void> {
  const id = await newHalt(scene);
  const body = { reason: `because of ${scene.unique()}` };
  const lifted = await scene.send("POST", `/api/v1/ai/halts/${id}/lift`, { token: scene.owner.token, body });
  if (lifted.status !== 200) throw new Error(lifted.text);
}

const reason = "because a test wants it so";
const aHalt = async (scene: Scene) => ({ id: await newHalt(scene) });

export const haltSamples = {
  "aiHalts.list": {},
  "aiHalts.create": {
    async arrange(scene) {
      scene.picked = await newTeam(scene);
      return {};
    },
    body: ({ picked }) => ({ scope: "team", target: picked, reason }),
  },
  "aiHalts.read": { arrange: aHalt },
  "aiHalts.lift": { arrange: aHalt, body: () => ({ reason }) },
} satisfies Record<string, Sample>;
