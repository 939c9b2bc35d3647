import { freePort } from "@reeve/testkit/postgres";
import { createEmulator } from "emulate";
import type { System } from "./system.js";

const TOKEN = "tok_of_the_connector";
/** The account of an agent. */
const AGENT = "triage-agent";
const FILES = {
  ".mcp.json": `${JSON.stringify({ mcpServers: { claims: { url: "https://claims.example.com/mcp" } } }, null, 2)}\n`,
  "AGENTS.md": "Answer claims with care.\n",
  "package.json": `${JSON.stringify({ dependencies: { openai: "^6.0.0" } }, null, 2)}\n`,
};

const SEED = {
  tokens: { [TOKEN]: { login: "acme-admin", scopes: ["repo", "admin:org"] } },
  github: {
    users: [{ login: "acme-admin" }, { login: AGENT }],
    orgs: [{ login: "acme", members: [{ login: "acme-admin", role: "admin" }] }],
    repos: [
      { owner: "acme-admin", name: "claims-agent", private: true, auto_init: true },
      { owner: "acme-admin", name: "salaries", private: true, auto_init: true },
    ],
  },
};

export interface CodeHost extends System {
  /** The account of an agent, as the host calls it. */
  readonly account: { readonly id: string; readonly login: string };
}

/** An emulated code host with the REST interface of GitHub, and AI in one of its repositories. */
export async function startCodeHost(): Promise<CodeHost> {
  const emulator = await createEmulator({ service: "github", port: await freePort(), seed: SEED });
  for (const [path, text] of Object.entries(FILES)) await commit(emulator.url, path, text);
  const { id, login } = (await call(emulator.url, `/users/${AGENT}`)) as { id: number; login: string };
  return {
    account: { id: String(id), login },
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
  const body = JSON.stringify({ message: `Add ${path}`, content });
  await call(url, `/repos/acme-admin/claims-agent/contents/${path}`, { method: "PUT", body });
}

async function call(url: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const response = await fetch(url + path, { ...init, headers });
  if (!response.ok) throw new Error(`the code host answers ${response.status} to ${path}`);
  return response.json();
}
