import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { blocksOf } from "../docs/guides/blocks.js";
import { root } from "../lib/workspace.mjs";
import type { RunningEdge } from "./servers.js";

const PAGE = "docs/guides/write-a-connector.md";

/** Starts the service of the guide from the text of its code block. */
export async function startTeams(): Promise<RunningEdge> {
  const block = blocksOf(PAGE).find(({ text }) => text.includes("createServer("));
  if (!block) throw new Error(`${PAGE} has no server`);
  const folder = mkdtempSync(join(root, "node_modules", ".edge-"));
  const file = join(folder, "teams.ts");
  writeFileSync(file, `${block.text}\nexport { startTeams };\n`);
  const { startTeams: start } = (await import(pathToFileURL(file).href)) as {
    startTeams(): Promise<{ server: Server; port: number }>;
  };
  const { server, port } = await start();
  const stop = async () => {
    server.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
