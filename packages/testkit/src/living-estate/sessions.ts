import { known, type Registered } from "./assets.js";
import type { Staff } from "./people.js";

/** Sessions that run: agent, for whom, for what, and what they have used. */
const RUNNING = [
  [
    "Claims letters",
    "lena.fischer",
    "Writes to the holder of claim 88-1204.",
    { iterations: 4, toolCalls: 2, costUsd: 0.04 },
  ],
  [
    "Claims letters",
    "tom.weber",
    "Writes to the holder of claim 88-1310.",
    { iterations: 11, toolCalls: 6, costUsd: 0.13 },
  ],
  [
    "Broker assistant",
    "broker-77",
    "Compares two wordings of a policy.",
    { iterations: 7, toolCalls: 9, costUsd: 0.31 },
  ],
  ["Broker assistant", "broker-12", "Finds exclusions for flood.", { iterations: 2, toolCalls: 1, costUsd: 0.05 }],
  ["Call summary", "anna.koch", "Sums up a call of this morning.", { iterations: 1, costUsd: 0.01 }],
  ["Call summary", "paul.berg", "Sums up a call about a complaint.", { iterations: 2, costUsd: 0.02 }],
  ["Claims triage", "batch", "Sorts the claims of the day.", { iterations: 212, toolCalls: 640, costUsd: 8.4 }],
] as const;

/** Starts sessions with their enforcement points. One is suspended, and its point has not confirmed. */
export async function startSessions({ operator }: Staff, made: Registered): Promise<void> {
  const ids: string[] = [];
  for (const [agent, userId, purpose, usage] of RUNNING) {
    const agentId = known(made.assetIds, agent);
    const body = { name: purpose, agentId, userId, purpose, environment: "production" };
    const { id } = await operator.do("POST", "/api/v1/ai/sessions", body);
    ids.push(id);
    await operator.do("POST", `/api/v1/ai/sessions/${id}/heartbeat`, { pepId: "gateway-eu-1" });
    await operator.do("POST", `/api/v1/ai/sessions/${id}/usage`, usage);
  }
  const reason = "It asks for the same document again and again.";
  await operator.do("POST", `/api/v1/ai/sessions/${ids[2]}/suspend`, { reason });
}
