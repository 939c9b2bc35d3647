import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Octokit } from "@octokit/rest";
import { freePort } from "@reeve/testkit/postgres";
import { createEmulator } from "emulate";

/** An answer that a test gives in place of the emulator; `undefined` leaves it to the emulator. */
export type Answer = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };
export type Script = (method: string, url: URL) => Answer | undefined | Promise<Answer | undefined>;

export interface TestHost {
  readonly url: string;
  readonly port: number;
  /** The emulator itself, as an account that may do everything. */
  readonly admin: Octokit;
  /** What others see. */
  as(token: string): Octokit;
  /** Requests that the front has seen, as `GET /user`. */
  readonly seen: string[];
  /** Answers in place of the emulator from now on. */
  script(answers: Script): void;
  reset(): Promise<void>;
  close(): Promise<void>;
}

export const TOKEN = "tok_owner_of_everything";
const TOKENS = { [TOKEN]: "acme-admin", tok_bob: "bob", tok_carol: "carol" };

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const seed = {
  tokens: Object.fromEntries(
    Object.entries(TOKENS).map(([token, login]) => [token, { login, scopes: ["repo", "admin:org"] }]),
  ),
  github: {
    users: [{ login: "acme-admin" }, { login: "bob" }, { login: "carol" }, { login: "dora" }, { login: "eve" }],
    orgs: [{ login: "acme", members: [{ login: "acme-admin", role: "admin" }] }],
    repos: [
      { owner: "acme", name: "agents", private: true, auto_init: true },
      { owner: "acme", name: "site", private: true, auto_init: true },
      { owner: "acme-admin", name: "tools", private: true, auto_init: true },
    ],
  },
};

/**
 * The GitHub part of `emulate` behind a front. It is no GitHub. Where it is known to differ, the front answers as GitHub
 * documents it: an unknown token is 401 and not the default user. What the emulator does not have is left out of what
 * these tests show: invitations, roles in lists of collaborators, `affiliation`, permissions of teams, limits of rate.
 */
export async function testHost(): Promise<TestHost> {
  const emulator = await createEmulator({ service: "github", port: await freePort(), seed });
  const seen: string[] = [];
  let script: Script = () => undefined;
  const front = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = "GET", headers } = request;
    const url = new URL(request.url ?? "/", emulator.url);
    seen.push(`${method} ${url.pathname}`);
    const token = headers.authorization?.replace(/^(token|bearer) /i, "") ?? "";
    const scripted =
      token in TOKENS ? await script(method, url) : { status: 401, body: { message: "Bad credentials" } };
    if (scripted) {
      response.writeHead(scripted.status, { "content-type": "application/json", ...scripted.headers });
      response.end(scripted.body === undefined ? "" : JSON.stringify(scripted.body));
      return;
    }
    const body = Buffer.concat(await request.toArray());
    const passed = Object.entries(headers).filter(([name]) => !["host", "connection", "content-length"].includes(name));
    const given = await fetch(url, {
      method,
      headers: Object.fromEntries(passed) as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    });
    const bytes = Buffer.from(await given.arrayBuffer());
    const kept = [...given.headers].filter(
      ([name]) => !["content-encoding", "content-length", "transfer-encoding"].includes(name),
    );
    response.writeHead(given.status, Object.fromEntries(kept));
    response.end(bytes);
  }
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  const { port } = front.address() as AddressInfo;
  const as = (auth: string) => new Octokit({ baseUrl: emulator.url, auth, log: silent });
  const admin = as(TOKEN);
  await prepare(admin);
  seen.length = 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    admin,
    as,
    seen,
    script: (answers) => {
      script = answers;
    },
    async reset() {
      emulator.reset();
      script = () => undefined;
      await prepare(admin);
      seen.length = 0;
    },
    async close() {
      front.closeAllConnections();
      front.close();
      await emulator.close();
    },
  };
}

/** The emulator lists repositories of an organisation only to collaborators, so that its administrator is one too. */
async function prepare(admin: Octokit): Promise<void> {
  for (const repo of ["agents", "site"])
    await admin.repos.addCollaborator({ owner: "acme", repo, username: "acme-admin", permission: "admin" });
  await admin.teams.create({ org: "acme", name: "ai" });
}

/** Writes files as one commit on the default branch. Modes other than that of a file are given by `mode`. */
export async function push(
  admin: Octokit,
  repo: string,
  files: Readonly<Record<string, string | { readonly mode: "120000"; readonly content: string }>>,
): Promise<string> {
  const at = { owner: "acme", repo };
  const { data: head } = await admin.git.getRef({ ...at, ref: "heads/main" });
  const { data: parent } = await admin.git.getCommit({ ...at, commit_sha: head.object.sha });
  const entries = Object.entries(files).map(([path, given]) => ({
    path,
    type: "blob" as const,
    mode: typeof given === "string" ? ("100644" as const) : given.mode,
    content: typeof given === "string" ? given : given.content,
  }));
  const { data: tree } = await admin.git.createTree({ ...at, base_tree: parent.tree.sha, tree: entries });
  const { data: commit } = await admin.git.createCommit({ ...at, message: "x", tree: tree.sha, parents: [parent.sha] });
  await admin.git.updateRef({ ...at, ref: "heads/main", sha: commit.sha });
  return commit.sha;
}
