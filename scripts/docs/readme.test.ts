import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { ControlPlane } from "@reeve/core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { root } from "../lib/workspace.mjs";
import { namedSnippet, snippetsOf } from "./snippets.js";

const readme = readFileSync(join(root, "README.md"), "utf8");

interface Mounted {
  readonly server: Server;
  readonly controlPlane: ControlPlane;
  close(): Promise<unknown>;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "reeve-readme-"));
  vi.stubEnv("REEVE_MASTER_KEY", randomBytes(32).toString("base64"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/**
 * Runs a snippet of the README as a module, with the framework of its example, a free port and a database of its own.
 */
async function run(name: string, example: string, framework: string, tail = ""): Promise<Partial<Mounted>> {
  const resolve = createRequire(join(root, "examples", example, "package.json")).resolve;
  const text = namedSnippet(readme, name)
    .replace(`from "${framework}"`, () => `from ${JSON.stringify(pathToFileURL(resolve(framework)).href)}`)
    .replace(/listen\(3000\)/, 'listen(0, "127.0.0.1")')
    .replace(/port: 3000/, 'port: 0, host: "127.0.0.1"')
    .replace("./data/reeve.sqlite", join(folder, `${name}.sqlite`))
    .replace(/^process\.once\(.*\n/m, "");
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, text + tail);
  return import(/* @vite-ignore */ file) as Promise<Partial<Mounted>>;
}

const curl = spawnSync("curl", ["--version"]).status === 0;

/**
 * Runs the shell commands of "First five minutes" against this server. Returns what they print, one line per command.
 */
async function fiveMinutes(server: Server): Promise<string[]> {
  const { port } = server.address() as AddressInfo;
  const commands = snippetsOf(readme).filter(({ language, text }) => language === "sh" && text.includes("curl"));
  const script = commands
    .map(({ text }) => text.replaceAll("\n\n", "\necho\n"))
    .join("\necho\n")
    .replaceAll("127.0.0.1:4000", `127.0.0.1:${port}`);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script]);
  return stdout.split("\n").filter((line) => line !== "");
}

describe.each([
  {
    framework: "express",
    example: "express-sqlite",
    tail: 'await new Promise((done) => server.once("listening", done));\nexport const close = () => new Promise((done) => server.close(done));\nexport { server, controlPlane };\n',
  },
  {
    framework: "fastify",
    example: "fastify-postgres",
    tail: "export const server = app.server;\nexport const close = () => app.close();\nexport { controlPlane };\n",
  },
])("the README's $framework app", ({ framework, example, tail }) => {
  let mounted: Mounted;
  let base: string;
  beforeAll(async () => {
    mounted = (await run(framework, example, framework, tail)) as Mounted;
    base = `http://127.0.0.1:${(mounted.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await mounted?.close();
    await mounted?.controlPlane.close();
  });

  const post = (path: string, body: object, token?: string) =>
    fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });

  it("registers, signs in, creates and lists", async () => {
    const account = { username: "grace@hopper.example", password: "seven green lanterns at dusk" };
    expect((await post("/api/v1/register", { organization: "Hopper Inc", ...account })).status).toBe(201);
    const { token } = (await (await post("/api/v1/auth/signin", account)).json()) as { token: string };
    expect((await post("/api/v1/ai-assets", { name: "Support agent", assetType: "agent" }, token)).status).toBe(201);
    const list = await fetch(`${base}/api/v1/ai-assets?assetType=agent`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await list.json()).toMatchObject({ totalItems: 1, items: [{ name: "Support agent" }] });
  });

  it.skipIf(!curl)("answers the first five minutes as they are written", async () => {
    const [registered, listed, moved, activity, asked, refused, made, approved, effective, overview, ...rest] = (
      await fiveMinutes(mounted.server)
    ).map((line) => JSON.parse(line) as unknown);
    expect(registered).toMatchObject({ status: "active" });
    expect(listed).toMatchObject({ totalItems: 1, items: [{ name: "Support agent", status: "registered" }] });
    expect(moved).toMatchObject({ name: "Support agent", status: "validation" });
    expect(activity).toMatchObject({
      items: [{ type: "reeve.asset.lifecycle.changed.v1", tostate: "validation" }, {}, {}, {}, {}],
    });
    expect(asked).toMatchObject({ governanceState: "under_review" });
    expect(refused).toMatchObject({ status: 403, code: "self_approval_forbidden" });
    expect(made).toMatchObject({ username: "grace@acme.example", roles: ["approver"] });
    expect(approved).toMatchObject({ governanceState: "approved" });
    expect(effective).toMatchObject({ decision: "allow" });
    expect(overview).toMatchObject({ assets: { total: 1 } });
    expect(rest).toEqual([]);
  });

  it("leaves the host its own routes", async () => {
    expect(await (await fetch(`${base}/`)).text()).toBe("The host's own page");
    expect((await fetch(`${base}/elsewhere`)).status).toBe(404);
  });
});

describe("the README's hello", () => {
  it("runs in process and prints what the comments say", async () => {
    const printed = vi.spyOn(console, "log").mockImplementation(() => {});
    await run("hello", "in-process", "none");
    expect(printed.mock.calls).toEqual([["self_approval_forbidden"], ["allow"]]);
    printed.mockRestore();
  });
});
