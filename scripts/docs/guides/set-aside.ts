import type { Block } from "./blocks.js";

/** Why a block is not run by the test of the guides. */
export const REASONS = {
  "tested elsewhere": "the test named beside it runs the block, by its name",
  registry: "it installs or starts a package from the public registry",
  output: "it shows a text that a program makes or prints, and is no input",
  "whole repository": "it runs every check, or the server on its fixed port",
  "declares tests": "it declares tests, which a running test may not; it is compiled",
  "file of the page": "the host of the page writes it as a file, which other blocks read",
  "other machine": "it is for a machine on which a coding agent runs",
  "other receiver": "it runs where messages are received",
  "other issuer": "it needs a running OpenID Connect issuer",
} as const;

interface SetAside {
  readonly page: string;
  /** What the block begins with, or its name. */
  readonly block: string;
  readonly reason: keyof typeof REASONS;
  /** The test that runs it, from `scripts/docs`. */
  readonly by?: string;
}

const elsewhere = (by: string, page: string, ...names: string[]): SetAside[] =>
  names.map((block) => ({ page, block, reason: "tested elsewhere", by }));

/** Every block that the test of the guides does not run. */
export const SET_ASIDE: readonly SetAside[] = [
  ...elsewhere("readme.test.ts", "README.md", "hello", "express", "fastify"),
  ...elsewhere("readme.test.ts", "README.md", "curl -s http://127.0.0.1:4000/api/v1/register", "TOKEN=$(", "ID=$("),
  ...elsewhere("readme.test.ts", "README.md", 'STATE="http', "curl -s http://127.0.0.1:4000/api/v1/users"),
  ...elsewhere("readme.test.ts", "README.md", 'curl -s "http://127.0.0.1:4000/api/v1/ai-assets/$ID/effective"'),
  ...elsewhere("client.test.ts", "README.md", "client"),
  ...elsewhere("client.test.ts", "docs/guides/client.md", "first", "lists", "refusals", "versions", "repeats"),
  ...elsewhere("client.test.ts", "docs/guides/client.md", "in-process"),
  ...elsewhere("event-chain.test.ts", "docs/guides/event-chain.md", "verify", "vectors"),
  ...elsewhere("lists.test.ts", "docs/guides/lists.md", "requests", "answer", "walk"),
  ...elsewhere("mcp-servers.test.ts", "docs/guides/mcp-servers.md", "vectors"),
  ...elsewhere("frameworks.test.ts", "docs/guides/frameworks.md", "nest-module", "nest-main", "hono"),
  ...elsewhere("frameworks.test.ts", "docs/guides/frameworks.md", "next-control-plane", "next-route"),
  ...elsewhere("frameworks.test.ts", "docs/guides/frameworks.md", "next-instrumentation"),
  ...elsewhere("../../packages/guard/test/guide.test.ts", "docs/guides/guards.md", "guard-langchain", "guard-ai-sdk"),
  ...elsewhere("../../packages/guard/test/guide.test.ts", "docs/guides/guards.md", "guard-mcp", "guard-mcp-approvals"),
  ...elsewhere("../../packages/guard/test/node-22.test.ts", "docs/guides/guards.md", "guard-openai", "guard-mastra"),
  ...elsewhere("../hosts/frameworks.ts", "docs/guides/frameworks.md", "next-config", "react-router-control-plane"),
  ...elsewhere("../hosts/frameworks.ts", "docs/guides/frameworks.md", "react-router-route", "react-router-routes"),
  ...elsewhere("../hosts/runtimes.ts", "docs/guides/frameworks.md", "bun", "deno"),
  { page: "README.md", block: "npm start", reason: "whole repository" },
  { page: "docs/architecture.md", block: "packages/", reason: "output" },
  { page: "docs/architecture.md", block: "recordHash", reason: "output" },
  {
    page: "docs/guides/tokens.md",
    block: "curl -s http://127.0.0.1:4000/api/v1/auth/token -d client_id",
    reason: "other issuer",
  },
  { page: "docs/guides/standalone-server.md", block: "npx @reeve/server doctor", reason: "other issuer" },
  { page: "docs/guides/testing.md", block: "import { contractCollections", reason: "declares tests" },
  { page: "docs/guides/write-a-connector.md", block: "suite", reason: "declares tests" },
  { page: "packages/testkit/README.md", block: "import { contractCollections", reason: "declares tests" },
  ...[
    "curl -X POST $BASE/api/v1/ai/installation-codes",
    "curl -X POST $BASE/api/v1/ai/watches",
    "curl -X POST $BASE/api/v1/ai-assets/ast_01K…/client-pack",
    "reeve enroll",
    "reeve publish",
    "# /etc/systemd",
    "npm install --global --prefix",
    "- ansible.builtin.command",
    "has(",
    "rm ",
  ].map((block): SetAside => ({ page: "docs/guides/coding-agents.md", block, reason: "other machine" })),
  ...["export CLAUDE_CODE_ENABLE_TELEMETRY", "[otel]", '{\n  "telemetry"'].map(
    (block): SetAside => ({ page: "docs/guides/telemetry.md", block, reason: "other machine" }),
  ),
  { page: "docs/guides/audit.md", block: "grep '^{", reason: "other receiver" },
  { page: "docs/guides/notices.md", block: "curl -X POST $BASE", reason: "other receiver" },
  { page: "docs/guides/doors.md", block: "location /mcp", reason: "other machine" },
  { page: "docs/guides/doors.md", block: "request_header", reason: "other machine" },
  { page: "docs/guides/doors.md", block: "curl -s $BASE/api/v1/auth/token", reason: "other machine" },
  { page: "docs/guides/doors.md", block: '{\n  "issued_token_type"', reason: "output" },
  { page: "docs/guides/doors.md", block: "curl -s -u $CLIENT_ID", reason: "other machine" },
  { page: "docs/guides/webhooks.md", block: "curl -X POST $BASE", reason: "other receiver" },
  { page: "docs/guides/webhooks.md", block: "// on the receiving side", reason: "other receiver" },
  { page: "docs/guides/webhooks.md", block: "{", reason: "output" },
  { page: "docs/guides/command-line.md", block: "policy-file", reason: "file of the page" },
  { page: "docs/guides/command-line.md", block: "policy-job", reason: "registry" },
  { page: "packages/server/README.md", block: "npx @reeve/server", reason: "registry" },
];

/** The row that sets a block aside, if one does. A block of `npm install` needs no row. */
export function asideOf({ page, name, text }: Block): SetAside | undefined {
  if (/^(npm install [@\w./ -]+\n)+$/.test(text)) return { page, block: "npm install", reason: "registry" };
  return SET_ASIDE.find((row) => row.page === page && (name ? row.block === name : text.startsWith(row.block)));
}
