#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2 with zod 4.6.7: one tool whose input schema has an id makes the client refuse the whole
# list of tools, also those of other tools that it could read.
#
# Schemas get ids so that an OpenAPI document can name them: `z.object(…).meta({ id: "Note" })`. zod writes such a schema as
# `{ $ref: "#/$defs/Note", $defs: … }`, also at the root. The server of the SDK passes that on as `inputSchema`, where the
# protocol demands `type: "object"`; it registers the tool and answers `tools/list` without complaint. The client of the same
# SDK checks the answer as one, and throws. One would expect the server to refuse the schema, to write the object in place,
# or the client to leave out the one tool.
# Seen:
#   without an id: read_note, add_note
#   with an id:    ["tools",1,"inputSchema","type"] Invalid input: expected "object"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 zod@4.6.7
cat >run.mjs <<'JS'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

async function listed(inputSchema) {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  const run = async () => ({ content: [] });
  server.registerTool("read_note", { inputSchema: z.object({ id: z.string() }) }, run);
  server.registerTool("add_note", { inputSchema }, run);
  const client = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(near), client.connect(far)]);
  try {
    return (await client.listTools()).tools.map(({ name }) => name).join(", ");
  } catch ({ issues }) {
    return issues.map(({ path, message }) => `${JSON.stringify(path)} ${message}`).join("; ");
  } finally {
    await client.close();
  }
}

const Note = z.object({ text: z.string() });
console.log(`without an id: ${await listed(Note)}`);
console.log(`with an id:    ${await listed(Note.meta({ id: "Note" }))}`);
JS
seen=$(node run.mjs)
echo "@modelcontextprotocol/sdk 1.32.2, zod 4.6.7"
echo "$seen"
[ "$seen" = 'without an id: read_note, add_note
with an id:    ["tools",1,"inputSchema","type"] Invalid input: expected "object"' ]
