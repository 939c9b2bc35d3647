import type { Client } from "@reeve/client";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { assetOf, isId } from "../remote/find-asset.js";
import { type RemoteOptions, withServer } from "../remote/server.js";

/** Sessions that can still be terminated. */
const OPEN = ["active", "suspended"] as const;

/** Terminates a session, or every open session of an agent. */
export async function terminate(
  invocation: Invocation,
  word: string,
  { reason, ...options }: RemoteOptions & { reason?: string },
): Promise<ExitCode> {
  const { output } = invocation;
  await withServer(invocation, options, async ({ client }) => {
    const one = (id: string) =>
      client.POST("/api/v1/ai/sessions/{id}/terminate", {
        params: { path: { id } },
        body: reason === undefined ? {} : { reason },
      });
    if (word.startsWith("ses_") && isId(word)) {
      const { data } = await one(word);
      output.result(data, `session ${word} is terminated`);
      return;
    }
    const agentId = await agentOf(client, word);
    let ended = 0;
    const query = { agentId: [agentId], status: [...OPEN] };
    for await (const { id } of client.items("/api/v1/ai/sessions", { params: { query } })) {
      await one(id);
      ended += 1;
      output.progress(`${ended} sessions terminated`);
    }
    output.result({ agentId, terminated: ended }, `${ended} open sessions of ${agentId} are terminated`);
  });
  return 0;
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
