import { type Outcome, runAgent } from "./agent.js";
import { addAndWatch } from "./planner.js";
import type { Operator, Service } from "./service.js";
import type { ToolCall, Tools } from "./tools.js";

const SESSIONS = "/api/v1/ai/sessions";
/** Longer than anybody waits here, so that only a cancellation ends the call. */
const SECONDS = 300;

/** Registers an agent and starts a limited session. Returns the session's id. */
export async function startSession({ send }: Operator): Promise<string> {
  const { json: agent } = await send("POST", "/api/v1/ai/agents", { name: "Bookkeeper", kind: "autonomous" });
  const limits = { maxIterations: 50, maxDurationSec: 3_600 };
  const body = { agentId: agent.id, purpose: "Adds up what came in", limits };
  return (await send("POST", SESSIONS, body)).json.id;
}

/**
 * Runs the agent until its long call is running. Then the operator terminates the session over HTTP, and the agent's
 * guard confirms that it has stopped.
 */
export async function cutOffInMidCall(
  { controlPlane, operator }: Service,
  tools: Tools,
  say: (line: string) => void,
): Promise<{ readonly outcome: Outcome; readonly decided: unknown; readonly session: SessionAsRead }> {
  const id = await startSession(operator);
  const guard = await controlPlane.sessionGuard({ tenantId: operator.tenantId, sessionId: id, pepId: "agent-host" });
  let decided: unknown;
  let operated: Promise<void> | undefined;
  const onCall = (call: ToolCall) => {
    say(`agent calls ${call.name} ${JSON.stringify(call.arguments)}`);
    if (call.name !== "trigger-long-running-operation") return;
    operated = (async () => {
      say("operator terminates the session over HTTP");
      const body = { reason: "The agent waits for something that nobody needs." };
      const { json } = await operator.send("POST", `${SESSIONS}/${id}/terminate`, body);
      decided = json;
      say(`operator is told: ${json.status}, enforcement ${json.enforcement.state}`);
    })();
  };
  const outcome = await runAgent({ guard, tools, planner: addAndWatch([3, 4, 5], SECONDS), onCall });
  await operated;
  if (outcome.ended === "blocked") say(`agent is cut off: ${outcome.by.message}`);
  const session = await confirmed(operator, id);
  say(`the session is ${session.status}, enforcement ${session.enforcement.state}`);
  await guard.close();
  return { outcome, decided, session };
}

/** The fields of a session that are read here. */
export interface SessionAsRead {
  readonly id: string;
  readonly status: string;
  readonly usage: { readonly iterations: number; readonly toolCalls: number };
  readonly enforcement: {
    readonly state: string;
    readonly peps: readonly { readonly id: string; readonly outcome: string | null }[];
  };
}

/** Reads a session until all enforcement points have answered. */
async function confirmed({ send }: Operator, id: string): Promise<SessionAsRead> {
  for (;;) {
    const session = (await send("GET", `${SESSIONS}/${id}`)).json as SessionAsRead;
    if (session.enforcement.state !== "pending") return session;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
