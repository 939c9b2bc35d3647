import type { ToolCall } from "@reeve/core/connectors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { codehost } from "../../src/codehost/index.js";
import { benchOf, idsOf, specOf, userOf } from "./bench.js";
import { push, type TestHost, testHost } from "./host.js";

let host: TestHost;
let ids: Awaited<ReturnType<typeof idsOf>>;
let commit: string;
beforeAll(async () => {
  host = await testHost();
});
beforeEach(async () => {
  await host.reset();
  ids = await idsOf(host);
  commit = await push(host.admin, "agents", {
    "docs/a.md": "Hello from the docs.",
    "docs/b.md": "Nothing here.",
    "big.txt": "x".repeat(300_000),
    "bin.dat": "a\0b",
    link: { mode: "120000", content: "/etc/passwd" },
  });
  await push(host.admin, "site", { "secret.md": "Hello from elsewhere." });
  host.seen.length = 0;
});
afterAll(() => host.close());

const repository = "acme/agents";
const REFUSED = { ok: false };
function run(tool: string, args: ToolCall["args"], role = "push", dryRun = false) {
  const grants = role === "none" ? [] : [specOf(ids.agents, ids.bob, role)];
  return benchOf(host).calls.executeTool({ tool, args, principal: userOf(ids.bob), grants, dryRun });
}
const writes = () => host.seen.filter((line) => !line.startsWith("GET"));

describe("tools for agents", () => {
  it("list the repositories of the caller, and no other", async () => {
    expect(await run("list_repositories", {})).toEqual({
      ok: true,
      output: { repositories: [{ repository, private: true, role: "push" }], complete: true },
    });
    expect(await run("list_repositories", {}, "none")).toMatchObject({ output: { repositories: [] } });
  });

  it("read files", async () => {
    expect(await run("read_file", { repository, path: "docs/a.md" }, "pull")).toEqual({
      ok: true,
      output: { path: "docs/a.md", commit, content: "Hello from the docs." },
    });
    expect(await run("list_files", { repository, path: "docs" })).toMatchObject({
      output: { files: [{ path: "docs/a.md" }, { path: "docs/b.md" }], complete: true },
    });
    expect(await run("search_code", { repository, query: "hello" })).toEqual({
      ok: true,
      output: { paths: ["docs/a.md"] },
    });
  });

  it("write to a branch, and open a pull request that can be read and commented on", async () => {
    expect(await run("create_branch", { repository, branch: "agent/fix" })).toMatchObject({ output: { commit } });
    expect(await run("create_branch", { repository, branch: "agent/fix" })).toMatchObject({ ok: true });
    const files = [{ path: "docs/c.md", content: "New." }];
    const made = await run("commit_files", {
      repository,
      branch: "agent/fix",
      message: "Add a page",
      files,
      expectedCommit: commit,
    });
    expect(made).toMatchObject({ ok: true, output: { branch: "agent/fix" } });
    expect(await run("read_file", { repository, path: "docs/c.md", ref: "agent/fix" })).toMatchObject({
      output: { content: "New." },
    });
    expect(await run("read_file", { repository, path: "docs/a.md", ref: "agent/fix" })).toMatchObject({ ok: true });
    expect(await run("read_file", { repository, path: "docs/c.md" })).toMatchObject({ code: "not_found" });
    const opened = await run("open_pull_request", { repository, title: "Add a page", head: "agent/fix" });
    const { number } = (opened as { output: { number: number } }).output;
    expect(await run("get_pull_request", { repository, number })).toMatchObject({
      output: { title: "Add a page", head: { branch: "agent/fix" }, base: { branch: "main" } },
    });
    expect(await run("comment", { repository, number, body: "Please review." }, "pull")).toMatchObject({ ok: true });
    const { data } = await host.admin.issues.listComments({ owner: "acme", repo: "agents", issue_number: number });
    expect(data.map(({ body }) => body)).toEqual(["Please review."]);
  });

  it("lose nothing that somebody else has committed", async () => {
    await run("create_branch", { repository, branch: "work" });
    const files = [{ path: "x.md", content: "1" }];
    await run("commit_files", { repository, branch: "work", message: "one", files });
    const late = await run("commit_files", {
      repository,
      branch: "work",
      message: "two",
      files,
      expectedCommit: commit,
    });
    expect(late).toMatchObject({ ok: false, code: "conflict" });
    const other = await run("create_branch", { repository, branch: "work" });
    expect(other).toMatchObject({ ok: false, code: "conflict" });
  });

  it("only check on a dry run", async () => {
    expect(await run("create_branch", { repository, branch: "x" }, "push", true)).toEqual({
      ok: true,
      output: { dryRun: true },
    });
    expect(await run("create_branch", { repository, branch: "x" }, "pull", true)).toMatchObject({
      code: "not_granted",
    });
    expect(writes()).toEqual([]);
  });

  it("never write to the default branch", async () => {
    const files = [{ path: "x.md", content: "1" }];
    const result = await run("commit_files", { repository, branch: "main", message: "m", files });
    expect([result, writes()]).toEqual([expect.objectContaining({ code: "default_branch" }), []]);
  });

  it.each([
    ["another repository", { repository: "acme/site", path: "secret.md" }, "admin"],
    ["a repository that is not there", { repository: "acme/nowhere", path: "x" }, "admin"],
    ["a caller without grants", { repository: "acme/agents", path: "docs/a.md" }, "none"],
  ])("refuse %s, all with the same words", async (_what, args, role) => {
    expect(await run("read_file", args, role)).toEqual({
      ok: false,
      code: "not_granted",
      message: "The caller has no such access to this repository.",
    });
  });

  it("take a repository for what it is and not for its name", async () => {
    await host.admin.repos.update({ owner: "acme", repo: "agents", name: "old" });
    await host.admin.repos.update({ owner: "acme", repo: "site", name: "agents" });
    expect(await run("read_file", { repository, path: "secret.md" })).toMatchObject({ code: "not_granted" });
  });

  it("search no other repository, whatever the words say", async () => {
    for (const query of ["hello repo:acme/site", '" repo:acme/site "', "user:acme hello"])
      expect(await run("search_code", { repository, query })).toMatchObject({ code: "invalid_arguments" });
    // A host that finds more than it was asked for.
    const hit = (id: string, path: string) => ({ path, repository: { id: Number(id) } });
    host.script((_method, { pathname }) =>
      pathname === "/search/code"
        ? { status: 200, body: { items: [hit(ids.site, "secret.md"), hit(ids.agents, "docs/a.md")] } }
        : undefined,
    );
    expect(await run("search_code", { repository, query: "hello" })).toEqual({
      ok: true,
      output: { paths: ["docs/a.md"] },
    });
  });

  it.each([
    "../site/secret.md",
    "docs/../../x",
    "./docs/a.md",
    "/docs/a.md",
    "docs//a.md",
    "docs/",
    "docs\\a.md",
    "docs%2Fa.md",
    "%2e%2e/x",
    "docs/a.md\0",
    "docs/a\u202e.md",
    "cafe\u0301.md",
    ".git/config",
    ".GIT/config",
    "",
  ])("take no path like %j", async (path) => {
    expect(await run("read_file", { repository, path })).toMatchObject({ code: "invalid_arguments" });
    const files = [{ path, content: "x" }];
    expect(await run("commit_files", { repository, branch: "b", message: "m", files })).toMatchObject({
      code: "invalid_arguments",
    });
    expect(host.seen).toEqual([]);
  });

  it.each(["refs/heads/x", "a..b", "-x", "a b", "a~1", "a^", "x.lock", ".x", "a//b", "@{-1}", "a%2Fb", "0".repeat(40)])(
    "take no branch like %j",
    async (branch) => {
      expect(await run("create_branch", { repository, branch })).toMatchObject({ code: "invalid_arguments" });
      expect(host.seen).toEqual([]);
    },
  );

  it.each(["acme", "acme/..", "acme/.", "../agents", "acme/agents/x", "acme/agents?x", "acme%2Fagents/x", "a b/c"])(
    "take no repository like %j",
    async (name) => expect(await run("list_files", { repository: name })).toMatchObject({ code: "invalid_arguments" }),
  );

  it.each([
    ["a link", "link", "symbolic_link"],
    ["a large file", "big.txt", "too_large"],
    ["a binary", "bin.dat", "not_text"],
    ["a folder", "docs", "not_found"],
  ])("read no %s", async (_what, path, code) => {
    expect(await run("read_file", { repository, path })).toMatchObject({ ...REFUSED, code });
  });

  it("take no argument that is not declared, and no tool that is not there", async () => {
    expect(await run("read_file", { repository, path: "docs/a.md", baseUrl: "http://evil" })).toMatchObject(REFUSED);
    expect(await run("delete_repository", { repository })).toMatchObject({ code: "unknown_tool" });
    for (const { inputSchema } of codehost().manifest.tools ?? []) expect(inputSchema.additionalProperties).toBe(false);
  });
});
