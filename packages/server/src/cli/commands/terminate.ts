import type { Client } from "@reeve/client";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { assetOf, isId } from "../remote/find-asset.js";
import { Refusal } from "../remote/refusals.js";
import { type RemoteOptions, withServer } from "../remote/server.js";

/** Sessions that can still be terminated. */
const OPEN = ["active", "suspended"] as const;

/** Terminates a session, or every open session of an agent: one that refuses keeps none of the others. */
export async function terminate(
  invocation: Invocation,
  word: string,
  { reason, ...options }: RemoteOptions & { reason?: string },
): Promise<ExitCode> {
  const { output } = invocation;
  const body = reason === undefined ? {} : { reason };
  return withServer(invocation, options, async ({ client }) => {
    const one = (id: string) => client.POST("/api/v1/ai/sessions/{id}/terminate", { params: { path: { id } }, body });
    if (word.startsWith("ses_") && isId(word)) {
      const { data } = await one(word);
      output.result(data, `session ${word} is terminated`);
      return 0;
    }
    const agentId = await agentOf(client, word);
    const query = { agentId: [agentId], status: [...OPEN] };
    let terminated = 0;
    const refused: { id: string; code: string | null }[] = [];
    for await (const { id } of client.items("/api/v1/ai/sessions", { params: { query } })) {
      try {
        await one(id);
        terminated += 1;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused.push({ id, code: error.code ?? null });
      }
      output.progress(`${terminated} sessions terminated`);
    }
    const left = refused.map(({ id, code }) => `; ${id} refuses it (${code ?? "no code"})`);
    output.result(
      { agentId, terminated, refused },
      `${terminated} open sessions of ${agentId} are terminated${left.join("")}`,
    );
    return refused.length === 0 ? 0 : 2;
  });
}

/** The id of the agent's record. */
async function agentOf(client: Client, word: string): Promise<string> {
  if (word.startsWith("agt_") && isId(word)) return word;
  const asset = await assetOf(client, word);
  const { data } = await client.GET("/api/v1/ai/agents", { params: { query: { assetId: [asset.id] } } });
  const [agent] = data.items;
  if (agent) return agent.id;
  throw new Failure(`"${asset.name}" is of type ${asset.assetType}; agents alone have sessions`);
}
