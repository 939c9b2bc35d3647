// A server over stdio, made with the official library, that lists the current contents of a file. With `--old` it ends
// at any message before the older handshake. With `--child` it starts a process and writes its id beside the file.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [file, ...flags] = process.argv.slice(2);
if (!file) throw new Error("no file");

if (flags.includes("--child")) {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  writeFileSync(`${file}.pids`, `${process.pid} ${child.pid}`);
}
if (flags.includes("--deaf")) process.on("SIGTERM", () => {});
if (flags.includes("--env")) writeFileSync(`${file}.env`, JSON.stringify(process.env));

const declared = {
  tools: flags.includes("--tells") ? { listChanged: true } : {},
  ...(flags.includes("--no-prompts") ? { prompts: {}, resources: {} } : {}),
};
const offer = () => JSON.parse(readFileSync(file, "utf8"));

if (flags.includes("--old")) old();
else if (flags.includes("--hang")) setInterval(() => {}, 1_000);
else if (flags.includes("--flood")) flood();
else if (flags.includes("--noise")) process.stdout.write(`${JSON.stringify({ neither: "request nor answer" })}\n`);
else setTimeout(() => serveStdio(serving), flags.includes("--slow") ? 6_000 : 0);

function serving() {
  const { name = "file-server", tools = [] } = offer();
  const server = new Server({ name, version: "1.0.0" }, { capabilities: declared });
  server.setRequestHandler("tools/list", () => ({ tools }));
  if (flags.includes("--calls"))
    server.setRequestHandler("tools/call", async () => {
      if (flags.includes("--tells")) await server.sendToolListChanged();
      return { content: [] };
    });
  return server;
}

/** Like servers with the first libraries: any message before `initialize` ends them. */
function old() {
  let greeted = false;
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "initialize") greeted = true;
    if (!greeted) process.exit(1);
    const { name = "old-server", tools = [] } = offer();
    /** @type {Record<string, object>} */
    const known = {
      initialize: { protocolVersion: "2024-11-05", capabilities: declared, serverInfo: { name, version: "0.1.0" } },
      "tools/list": { tools },
    };
    const said = known[method] ? { result: known[method] } : { error: { code: -32_601, message: "Method not found" } };
    if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
  });
}

function flood() {
  const line = `${"x".repeat(65_536)}\n`;
  const more = () => {
    while (process.stdout.write(line));
    process.stdout.once("drain", more);
  };
  more();
}
