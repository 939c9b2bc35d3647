import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type ControlPlane, guardedEgress, type McpTarget } from "@reeve/core";
import { mcpConnector } from "@reeve/mcp";
import { ISSUER, MASTER_KEY } from "./estate.js";
import type { Ground } from "./grounds.js";
import { type LaunchMcp, TOOLS } from "./mcp-launch.js";
import { shuffled } from "./operations.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

interface Beside {
  /** Milliseconds, the median of the rounds. */
  readonly ms: number;
  /** Relative to the client alone: the median of the rounds' ratios. */
  readonly ratio: number;
}

/** The time of a scan of a server with the most tools, against the official client that only lists them. */
export interface McpFigures {
  /** Milliseconds of the client alone. */
  readonly client: number;
  readonly connector: Beside;
  readonly again: Beside;
  readonly first: Beside;
}

/** Calls per contender and round. */
const LOOKS = 5;

/** Measures in turn, in shuffled order. The first round warms up. */
export async function measureMcp(
  ground: Ground,
  { rounds }: { readonly rounds: number },
  launch: LaunchMcp,
): Promise<McpFigures> {
  const server = await launch();
  const egress = guardedEgress({ allow: ["127.0.0.0/8"] });
  const connector = mcpConnector();
  const { tenantId, userId } = ground.estate;
  const controlPlane = openControlPlane(
    openStore(ground.database("mcp")),
    { issuer: ISSUER, masterKey: MASTER_KEY },
    { egress, mcp: connector },
  );
  try {
    const principal = await controlPlane.principalOf(tenantId, userId);
    const create = async () =>
      (await controlPlane.call("mcpServers.create", principal, { body: { url: server.url } })).id;
    const known = await create();
    const scan = async (id: string) =>
      checked(await controlPlane.call("mcpServers.scan", principal, { params: { id } }));
    await scan(known);
    const contenders: Record<"client" | "connector" | "again" | "first", () => Promise<number>> = {
      client: () => timed(() => clientAlone(server.url)),
      connector: () =>
        timed(async () => {
          const seen = await connector.observe(targetOf(server.url), { egress });
          if (!seen.ok || seen.value.tools.length !== TOOLS) throw new Error("the connector has not seen all tools");
        }),
      again: () => timed(() => scan(known)),
      first: async () => {
        const id = await create();
        const ms = await timed(() => scan(id));
        await removeServer(controlPlane, principal, id);
        return ms;
      },
    };
    return await compared(contenders, rounds);
  } finally {
    await controlPlane.close();
    await server.close();
  }
}

async function compared(
  contenders: Record<"client" | "connector" | "again" | "first", () => Promise<number>>,
  rounds: number,
): Promise<McpFigures> {
  const names = Object.keys(contenders) as (keyof typeof contenders)[];
  const found = { client: [], connector: [], again: [], first: [] } as Record<keyof typeof contenders, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of shuffled(names)) {
      const times: number[] = [];
      for (let look = 0; look < (name === "first" ? 1 : LOOKS); look++) times.push(await contenders[name]());
      if (round > 0) found[name].push(median(times));
    }
  }
  const beside = (name: keyof typeof contenders): Beside => ({
    ms: median(found[name]),
    ratio: median(found[name].map((ms, round) => ms / (found.client[round] as number))),
  });
  return {
    client: median(found.client),
    connector: beside("connector"),
    again: beside("again"),
    first: beside("first"),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The minimum of an application that wants the list: handshake, list, close. */
async function clientAlone(url: string): Promise<void> {
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { tools } = await client.listTools(undefined, { cacheMode: "bypass" });
  if (tools.length !== TOOLS) throw new Error("the client has not seen all tools");
  await client.close();
}

const targetOf = (url: string): McpTarget => ({
  transport: "streamable_http",
  url,
  command: null,
  protocol: "auto",
  headers: {},
  oauth: null,
});

function checked({ scan }: { readonly scan: { readonly outcome: string; readonly error: object | null } }): void {
  if (scan.outcome !== "ok") throw new Error(`the scan has failed: ${JSON.stringify(scan.error)}`);
}

async function removeServer(controlPlane: ControlPlane, principal: Parameters<ControlPlane["call"]>[1], id: string) {
  const query = { force: "true", reason: "Its tools go with it." };
  await controlPlane.call("mcpServers.delete", principal, { params: { id }, query });
}
