import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Unexpected } from "./expectation.js";

export const MCP_PACKAGE = "@modelcontextprotocol/server-everything";

/** How long the server may take to start, in ms. */
const PATIENCE = 20_000;

/** A published MCP server in a process of its own. */
export interface RunningServer {
  readonly url: string;
  readonly packageVersion: string;
  stop(): Promise<void>;
}

/** Starts the published server on a free local port, with streamable HTTP. */
export async function startServer(): Promise<RunningServer> {
  const require = createRequire(import.meta.url);
  const manifestFile = require.resolve(`${MCP_PACKAGE}/package.json`);
  const manifest = require(manifestFile) as { version: string; bin: Record<string, string> };
  const [program = ""] = Object.values(manifest.bin);
  const port = await freePort();
  const child = spawn(process.execPath, [join(dirname(manifestFile), program), "streamableHttp"], {
    env: { PATH: process.env.PATH ?? "", PORT: String(port) },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}/mcp`;
  await untilItAnswers(url, () => child.exitCode);
  return {
    url,
    packageVersion: manifest.version,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

async function untilItAnswers(url: string, exitCode: () => number | null): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (Date.now() < deadline && exitCode() === null) {
    const answered = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(100);
  }
  throw new Unexpected(`${MCP_PACKAGE} starts`, "an answer", `none at ${url}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}
