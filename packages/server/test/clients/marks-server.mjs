// An MCP server over standard input with one tool, which leaves a mark: an empty file.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const mark = {
  name: "mark",
  description: "Leaves a mark.",
  inputSchema: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
};

const START = { capabilities: { tools: {} }, serverInfo: { name: "marks", version: "1.0.0" } };

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "tools/call") writeFileSync(params.arguments.file, "");
  const results = new Map([
    ["initialize", { ...START, protocolVersion: params?.protocolVersion }],
    ["tools/list", { tools: [mark] }],
    ["tools/call", { content: [{ type: "text", text: "marked" }] }],
  ]);
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: results.get(method) ?? {} })}\n`);
});
