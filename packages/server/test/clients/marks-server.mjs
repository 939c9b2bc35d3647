// An MCP server over standard input with one tool, which leaves a mark: an empty file.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const mark = {
  name: "mark",
  description: "Leaves a mark.",
  inputSchema: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
};

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "marks", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [mark] }),
  "tools/call"({ arguments: { file } }) {
    writeFileSync(file, "");
    return { content: [{ type: "text", text: "marked" }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = ANSWERS[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
