import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ServerProcess } from "../server-process.js";
import { type Estate, PASSWORD, startEstate } from "./estate.js";

let estate: Estate;
beforeAll(async () => {
  estate = await startEstate();
});
afterAll(() => estate?.stop());

const agent = async (name: string) =>
  (await estate.ada.POST("/api/v1/ai/agents", { body: { name, kind: "autonomous" } })).data;

/** Asks for the review of an agent, and gives the id of the review. */
async function underReview(name: string): Promise<string> {
  const { assetId } = await agent(name);
  const path = { params: { path: { id: assetId } } };
  await estate.ada.PATCH("/api/v1/ai-assets/{id}/governance-state", { ...path, body: { status: "under_review" } });
  const { items } = await estate.json("grace", "reviews", "--mine", "--asset", name);
  expect(items).toMatchObject([{ kind: "asset_review", name }]);
  return items[0].id;
}

describe("signing in", () => {
  const file = () => join(estate.directory, "config/reeve/profiles.json");

  it("keeps the token in a file for its owner alone, and no password", () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(file(), "..")).mode & 0o777).toBe(0o700);
    expect(readFileSync(file(), "utf8")).not.toContain(PASSWORD);
  });

  it("says who asks, and which profile is in use", async () => {
    const { output, code } = await estate.as("grace", "whoami");
    expect(code).toBe(0);
    expect(output).toContain("grace@acme.example");
    expect(output).toContain(estate.address);
    expect((await estate.json("olga", "whoami")).items).toMatchObject([{ username: "olga@other.example" }]);
    expect((await estate.run(["profiles", "vic"])).output).toMatch(/^\* +vic /m);
    expect((await estate.run(["whoami"])).output).toContain("vic@acme.example");
    expect((await estate.run(["whoami"], { REEVE_PROFILE: "ada" })).output).toContain("ada@acme.example");
  });

  it("refuses a wrong password and a file that others can read", async () => {
    const wrong = await estate.run(["login", estate.address, "--user", "ada@acme.example"], {}, "not the password\n");
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining("invalid_credentials")]);
    chmodSync(file(), 0o644);
    expect((await estate.as("ada", "whoami")).errors).toContain("chmod 600");
    chmodSync(file(), 0o600);
  });

  it("renews a token that has ended, once for commands that run at the same time", async () => {
    const kept = JSON.parse(readFileSync(file(), "utf8"));
    const { refreshToken } = kept.profiles.ada;
    kept.profiles.ada.expiresAt = "2020-01-01T00:00:00.000Z";
    writeFileSync(file(), JSON.stringify(kept));
    const XDG_CONFIG_HOME = join(estate.directory, "config");
    const asked = ["1", "2", "3"].map(() =>
      ServerProcess.run("whoami", estate.directory, { XDG_CONFIG_HOME }, ["--profile", "ada"]),
    );
    expect(await Promise.all(asked.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    const after = JSON.parse(readFileSync(file(), "utf8")).profiles.ada;
    expect(after.refreshToken).not.toBe(refreshToken);
    expect(Date.parse(after.expiresAt)).toBeGreaterThan(Date.now());
  });

  it("ends the token at the server", async () => {
    const { run, address } = estate;
    await run(["login", address, "--user", "vic@acme.example", "--profile", "gone"], {}, `${PASSWORD}\n`);
    const { token, refreshToken } = JSON.parse(readFileSync(file(), "utf8")).profiles.gone;
    expect((await run(["logout", "--profile", "gone"])).code).toBe(0);
    expect(readFileSync(file(), "utf8")).not.toContain(token);
    const ended = await run(["whoami", "--json"], { REEVE_TOKEN: token, REEVE_BASE_URL: address });
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.output)).toMatchObject({ error: { code: "invalid_token" } });
    expect(ended.errors).toContain("sign in again by reeve login");
    const body = { grant_type: "refresh_token", refresh_token: refreshToken };
    await expect(estate.ada.POST("/api/v1/auth/token", { body })).rejects.toMatchObject({ status: 400 });
    expect((await run(["whoami", "--profile", "gone"])).errors).toContain('there is no profile "gone"');
  });

  it("takes a bearer token from standard input", async () => {
    const { token } = JSON.parse(readFileSync(file(), "utf8")).profiles.grace;
    const taken = await estate.run(["login", estate.address, "--token", "--profile", "taken"], {}, `${token}\n`);
    expect([taken.code, taken.errors]).toEqual([0, expect.stringContaining("grace@acme.example is signed in")]);
  });
});

describe("a server that does not answer", () => {
  it("is named with its address", async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const { code, errors } = await estate.run(["whoami"], { REEVE_TOKEN: "x", REEVE_BASE_URL: address });
    expect([code, errors]).toEqual([1, expect.stringContaining(`${address} gives no answer (ECONNREFUSED)`)]);
  });

  it("is told from one that is not Reeve", async () => {
    const other = createServer((_request, response) => response.end("<html>")).listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, errors } = await estate.run(["whoami"], { REEVE_TOKEN: "x", REEVE_BASE_URL: address });
    expect([code, errors]).toEqual([1, `reeve: ${address} answers, but not as Reeve does\n`]);
  });
});

describe("a sign-in without encryption", () => {
  it.each(["http://127.0.0.1.invalid", "http://reeve.invalid"])("warns: %s", async (address) => {
    const { code, errors } = await estate.run(["login", address, "--user", "ada"], {}, "a phrase\n");
    expect([code, errors]).toEqual([1, expect.stringContaining("without encryption")]);
  });

  it.each(["http://127.0.0.1:1", "http://[::1]:1", "http://localhost:1"])("is no matter on %s", async (address) => {
    const { code, errors } = await estate.run(["login", address, "--user", "ada"], {}, "a phrase\n");
    expect([code, errors]).toEqual([1, expect.not.stringContaining("without encryption")]);
  });
});

describe("decisions", () => {
  it("are made by who may, once", async () => {
    const id = await underReview("Support agent");
    const refused = await estate.as("ada", "approve", id);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("self_approval_forbidden")]);
    expect((await estate.as("vic", "approve", id)).errors).toContain("permission_denied");
    expect((await estate.as("olga", "approve", id)).errors).toContain("nothing of this id");
    const approved = await estate.as("grace", "approve", id, "--reason", "Looked at its tools.");
    expect([approved.code, approved.errors]).toEqual([0, expect.stringContaining('approved: "Support agent"')]);
    // Somebody has decided it meanwhile.
    expect((await estate.as("grace", "approve", id)).errors).toContain("nothing of this id");
    expect((await estate.json("ada", "show", "Support agent")).items).toMatchObject([{ governanceState: "approved" }]);
  });

  it("are refused where the record has changed since it was seen", async () => {
    const id = await underReview("Changing agent");
    const [{ seen, matter }] = (await estate.json("grace", "show", id)).items;
    await estate.ada.PATCH("/api/v1/ai-assets/{id}/metadata", {
      params: { path: { id: matter.id } },
      body: { metadata: { a: 1 } },
    });
    const { code, errors } = await estate.as("grace", "approve", id, "--seen", seen);
    expect([code, errors]).toEqual([1, expect.stringContaining(`you saw ${seen}`)]);
    const { items } = await estate.json("grace", "reject", id, "--reason", "It has no sponsor yet.");
    expect(items).toMatchObject([{ decision: "reject", outcome: { governanceState: "rejected" } }]);
  });

  it("stop an agent, its sessions and all agents", async () => {
    const { id: agentId, assetId } = await agent("Stopped agent");
    for (let n = 0; n < 3; n += 1)
      await estate.ada.POST("/api/v1/ai/sessions", { body: { agentId, name: `session ${n}` } });
    const { items } = await estate.json("grace", "terminate", "stopped AGENT");
    expect(items).toEqual([{ agentId, terminated: 3, refused: [] }]);
    expect((await estate.json("grace", "terminate", agentId)).items).toEqual([{ agentId, terminated: 0, refused: [] }]);
    expect((await estate.as("grace", "suspend", assetId)).code).toBe(0);
    const [owed] = (await estate.json("grace", "reviews", "--mine", "--kind", "stop_reason")).items;
    const seen = ["--seen", "1", "--reason", "It was under attack."];
    expect((await estate.as("grace", "approve", owed.id, ...seen)).errors).toContain("names no version");
    expect((await estate.as("vic", "halt", "all-agents")).errors).toContain("permission_denied");
    const [halt] = (await estate.json("grace", "halt", "all-agents", "--reason", "We are under attack.")).items;
    expect((await estate.as("ada", "halts")).output).toContain(halt.id);
    expect((await estate.as("grace", "lift", halt.id, "--reason", "The attack is over.")).errors).toContain(
      "is lifted",
    );
    expect((await estate.json("ada", "halts")).items).toEqual([]);
    expect((await estate.as("grace", "halt", "teams")).errors).toContain("all-agents, team, mcp-server");
  });
});

describe("lists", () => {
  it("page, are filtered, and keep each tenant to itself", async () => {
    for (let n = 0; n < 5; n += 1) await agent(`Listed ${n}`);
    const { output, errors } = await estate.as("vic", "assets", "--search", "listed", "--limit", "3");
    expect(output.trim().split("\n")).toHaveLength(4);
    expect(errors).toContain("3 of 5 assets");
    const { items } = await estate.json("vic", "assets", "--type", "agent,model", "--search", "listed");
    expect(items.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4].map((n) => `Listed ${n}`));
    expect((await estate.json("olga", "assets")).items).toEqual([]);
    const wrong = await estate.as("vic", "assets", "--type", "robot");
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining("assetType")]);
  });

  it("fit the terminal and cut no id", async () => {
    await agent(`Long ${"name ".repeat(20)}`);
    const { output } = await estate.run(["assets", "--search", "Long name", "--profile", "ada"], { COLUMNS: "100" });
    const lines = output.trimEnd().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines[1]).toMatch(/^ast_[0-9A-Z]{26} /);
    expect(lines[1]).toContain("…");
  });

  it("show hostile names as text", async () => {
    const hostile = "Safe\u202etxt.exe\u2066 \u{e0041}bot";
    await agent(hostile);
    const { output } = await estate.as("ada", "assets", "--search", "txt.exe");
    expect(output).toContain("Safe\\u{202e}txt.exe\\u{2066} \\u{e0041}bot");
    const json = await estate.run(["assets", "--search", "txt.exe", "--profile", "ada", "--json"]);
    expect(json.output).not.toMatch(/[\u202e\u2066]/);
    expect(JSON.parse(json.output).name).toBe(hostile);
    expect((await estate.as("ada", "show", hostile)).output).toContain("\\u{202e}");
    expect((await estate.as("ada", "show", "no\u001b[2Jsuch")).errors).toContain("no\\u{1b}[2Jsuch");
  });

  it("tell what has happened, also by the id of the agent", async () => {
    const { id } = await agent("Watched agent");
    const { items } = await estate.json("ada", "activity", id, "--from", "2020-01-01");
    expect(items.map(({ type }) => type)).toContain("reeve.agent.created.v1");
    expect((await estate.json("ada", "activity", "Watched agent")).items).toHaveLength(items.length);
    expect((await estate.as("ada", "activity", "--from", "yesterday")).errors).toContain("--from takes a time");
    expect((await estate.as("ada", "findings")).errors).toContain("0 findings");
  });
});

describe("any operation", () => {
  it("is called by its id, with what was meant where there is none", async () => {
    expect((await estate.json("ada", "call", "me.read")).items).toMatchObject([{ username: "ada@acme.example" }]);
    const made = await estate.json("ada", "call", "aiAssets.create", "--body", '{"name":"Called","assetType":"model"}');
    const [{ id }] = made.items;
    expect((await estate.json("ada", "call", "aiAssets.read", "--param", `id=${id}`)).items).toMatchObject([{ id }]);
    expect((await estate.as("ada", "call", "aiAssets.raed")).errors).toContain("did you mean aiAssets.read");
    expect((await estate.as("ada", "call", "aiAssets.read")).errors).toContain("takes --param id=…");
    expect((await estate.as("ada", "call", "aiAssets.create", "--body", "{")).errors).toContain("is not valid JSON");
    const exported = await estate.as("ada", "call", "aiGovernance.exportEvents");
    expect(JSON.parse(exported.output.split("\n")[0] as string)).toMatchObject({ type: "reeve.tenant.created.v1" });
  });
});

describe("help", () => {
  const commands = ["login", "assets", "show", "reviews", "approve", "halt", "findings", "call", "activity"];
  it.each(commands)("of %s has the settings that it reads, and examples", async (name) => {
    const { output } = await estate.run([name, "--help"]);
    expect(output).toContain("Settings:");
    expect(output).toContain("REEVE_PROFILE");
    expect(output).toContain("Examples:");
  });
});
