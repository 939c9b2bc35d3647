import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { guardedEgress, type McpTarget } from "@reeve/core";
import { freePort } from "@reeve/testkit/postgres";
import { onTestFinished } from "vitest";
import type { McpCommand } from "../../src/index.js";

const { resolve } = createRequire(import.meta.url);

/** The program of a published server, from its manifest. */
export function programOf(name: "everything" | "filesystem" | "memory"): string {
  const manifest = resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return join(dirname(manifest), "dist", "index.js");
}

/** A program in this folder. */
export const supportProgram = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export const nodeCommand = (...args: string[]): McpCommand => ({ command: process.execPath, args });

export const stdio = (command: string): McpTarget => ({
  transport: "stdio",
  url: null,
  command,
  protocol: "auto",
  headers: {},
  oauth: null,
});

export const http = (url: string, transport: "streamable_http" | "sse" = "streamable_http"): McpTarget => ({
  transport,
  url,
  command: null,
  protocol: "auto",
  headers: {},
  oauth: null,
});

/** An egress that allows this machine, as a deployment would configure it. */
export const loopback = guardedEgress({ allow: ["127.0.0.0/8"] });

/** A running published server over HTTP; it ends with the test. */
export async function startEverything(mode: "streamableHttp" | "sse"): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [programOf("everything"), mode], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone;
  });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes(String(port))) resolve();
    });
    child.once("exit", () => reject(new Error(`the server has ended: ${said}`)));
  });
  return `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`;
}
