import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";

const aSession = async (scene: Scene) => ({ id: await scene.newSession() });
const reason = "because a test wants it so";

/** The samples of sessions of agents. */
export const sessionSamples = {
  "aiSessions.list": {},
  "aiSessions.create": { body: (scene) => ({ name: scene.unique(), purpose: scene.unique() }) },
  "aiSessions.spend": {},
  "aiSessions.running": {},
  "aiSessions.read": { arrange: aSession },
  "aiSessions.replace": { arrange: aSession, body: (scene) => ({ purpose: scene.unique() }) },
  "aiSessions.delete": {
    async arrange(scene) {
      const { id } = await aSession(scene);
      await scene.askSession(id, "terminate", { reason });
      return { id };
    },
  },
  "aiSessions.suspend": { arrange: aSession, body: () => ({ reason }) },
  "aiSessions.resume": {
    async arrange(scene) {
      const { id } = await aSession(scene);
      await scene.askSession(id, "suspend", { reason });
      return { id };
    },
    body: () => ({ reason }),
  },
  "aiSessions.terminate": { arrange: aSession, body: () => ({ reason }) },
  "aiSessions.heartbeat": { arrange: aSession, body: () => ({ pepId: "gateway-1" }) },
  "aiSessions.usage": { arrange: aSession, body: () => ({ iterations: 1, costUsd: 0.01 }) },
  "aiSessions.acknowledge": {
    async arrange(scene) {
      const { id } = await aSession(scene);
      // Another point than the one that answers, because a registered one belongs to who registered it.
      await scene.askSession(id, "heartbeat", { pepId: "gateway-1" });
      await scene.askSession(id, "suspend", { reason });
      return { id };
    },
    body: () => ({ pepId: "gateway-2", epoch: 1, outcome: "enforced" }),
  },
  "aiSessions.retryEnforcement": {
    async arrange(scene) {
      const { id } = await aSession(scene);
      await scene.askSession(id, "suspend", { reason });
      return { id };
    },
    body: () => ({ reason }),
  },
} satisfies Record<string, Sample>;
