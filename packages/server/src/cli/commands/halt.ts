import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { assetOf } from "../remote/find-asset.js";
import { type RemoteOptions, withServer } from "../remote/server.js";

const SCOPES = { "all-agents": "all_agents", team: "team", "mcp-server": "mcp_server" } as const;

interface Options extends RemoteOptions {
  readonly reason?: string;
  readonly finding?: string;
}

/** Starts a halt. */
export async function halt(
  invocation: Invocation,
  word: string,
  target: string | undefined,
  { reason, finding, ...options }: Options,
): Promise<ExitCode> {
  const key = word.replaceAll("_", "-");
  if (!Object.hasOwn(SCOPES, key)) throw new Failure(`a halt is of ${Object.keys(SCOPES).join(", ")}`);
  const scope = SCOPES[key as keyof typeof SCOPES];
  if ((scope === "all_agents") !== (target === undefined))
    throw new Failure(scope === "all_agents" ? "a halt of all agents has no target" : `name the ${key} to halt`);
  await withServer(invocation, options, async ({ client }) => {
    const id = scope === "mcp_server" ? (await assetOf(client, target as string)).id : target;
    const { data } = await client.POST("/api/v1/ai/halts", {
      body: {
        scope,
        ...(id === undefined ? {} : { target: id }),
        ...(reason === undefined ? {} : { reason }),
        ...(finding === undefined ? {} : { findingId: finding }),
      },
    });
    invocation.output.result(data, `halted: ${data.name} (${data.id}); reeve lift ${data.id} ends it`);
  });
  return 0;
}
