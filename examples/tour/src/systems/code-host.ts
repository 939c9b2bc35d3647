import { freePort } from "@reeve/testkit/postgres";
import { createEmulator } from "emulate";
import type { System } from "./system.js";

const TOKEN = "tok_of_the_connector";
const FILES = {
  ".mcp.json": `${JSON.stringify({ mcpServers: { claims: { url: "https://claims.example.com/mcp" } } }, null, 2)}\n`,
  "AGENTS.md": "Answer claims with care.\n",
  "package.json": `${JSON.stringify({ dependencies: { openai: "^6.0.0" } }, null, 2)}\n`,
};

const SEED = {
  tokens: { [TOKEN]: { login: "acme-admin", scopes: ["repo", "admin:org"] } },
  github: {
    users: [{ login: "acme-admin" }],
    orgs: [{ login: "acme", members: [{ login: "acme-admin", role: "admin" }] }],
    repos: [{ owner: "acme-admin", name: "claims-agent", private: true, auto_init: true }],
  },
};

/** An emulated code host with the REST interface of GitHub, and AI in one of its repositories. */
export async function startCodeHost(): Promise<System> {
  const emulator = await createEmulator({ service: "github", port: await freePort(), seed: SEED });
  for (const [path, text] of Object.entries(FILES)) await commit(emulator.url, path, text);
  return {
    name: "code host",
    providerKey: "codehost",
    about: "an emulated GitHub with a repository",
    configuration: { baseUrl: emulator.url },
    secrets: { token: TOKEN },
    stop: () => emulator.close(),
  };
}

async function commit(url: string, path: string, text: string): Promise<void> {
  const content = Buffer.from(text).toString("base64");
  const response = await fetch(`${url}/repos/acme-admin/claims-agent/contents/${path}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ message: `Add ${path}`, content }),
  });
  if (!response.ok) throw new Error(`the code host answers ${response.status} to ${path}`);
}
