import { listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { benchOf, idsOf } from "./bench.js";
import { push, type TestHost, TOKEN, testHost } from "./host.js";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
beforeEach(() => host.reset());
afterAll(() => host.close());

const found = (limit = 200) => {
  const { calls } = benchOf(host);
  return listAll((page) => calls.discoverAssets(page), limit);
};

describe("AI in repositories of a code host", () => {
  it("is found with file, commit and line, on pages of any size", async () => {
    const { agents, site } = await idsOf(host);
    const commit = await push(host.admin, "agents", {
      ".mcp.json":
        '{\n"mcpServers": {\n"docs": {"url":"https://docs.example.com/mcp"},\n"pg": {"command":"npx","args":["-y","pg-mcp"]}\n}}',
      "services/bot/AGENTS.md": "Be kind.",
      "services/bot/package.json": '{"dependencies":{\n"@anthropic-ai/sdk":"^0.70.0"}}',
    });
    await push(host.admin, "site", { "requirements.txt": "openai==2.1\n" });
    const { items, complete } = await found();
    expect(complete).toBe(true);
    expect(
      items.map(({ externalId, assetType, found: [first] = [] }) => [
        externalId,
        assetType,
        first?.revision === commit,
        first?.line,
      ]),
    ).toEqual([
      [`${agents}:.mcp.json#docs`, "mcp_server", true, 3],
      [`${agents}:.mcp.json#pg`, "mcp_server", true, 4],
      [`${agents}:services/bot/AGENTS.md`, "prompt", true, 1],
      [`${agents}:services/bot/package.json`, "application", true, 2],
      [`${site}:requirements.txt`, "application", false, 1],
    ]);
    expect((await found(1)).items).toEqual(items);
  });

  it("keeps its ids where the repository is renamed", async () => {
    await push(host.admin, "agents", { "AGENTS.md": "Be kind." });
    const before = (await found()).items;
    await host.admin.repos.update({ owner: "acme", repo: "agents", name: "robots" });
    const after = (await found()).items;
    expect(after.map(({ externalId }) => externalId)).toEqual(before.map(({ externalId }) => externalId));
    expect(after[0]?.name).toBe("acme/robots/AGENTS.md");
  });

  it("is found beside hostile files, of which none is fatal and the large one is not fetched", async () => {
    await push(host.admin, "agents", {
      "a/.mcp.json": '{"mcpServers":',
      "b/AGENTS.md": "x".repeat(1_000_000),
      "c/CLAUDE.md": { mode: "120000", content: "/etc/passwd" },
      "d/AGENTS.md": "Be kind.",
    });
    const { calls } = benchOf(host);
    host.seen.length = 0;
    const page = await calls.discoverAssets({ limit: 100 });
    expect(page.items.map(({ name }) => name)).toEqual(["acme/agents/d/AGENTS.md"]);
    expect(page.rejected).toHaveLength(2);
    expect(page.warnings).toMatchObject([{ part: expect.stringContaining("c/CLAUDE.md") }]);
    expect(page.complete).toBe(false);
    expect(host.seen.filter((line) => line.includes("/git/blobs/"))).toHaveLength(2);
  });

  it("is not called complete where the code host cuts the list of files", async () => {
    await push(host.admin, "agents", { "AGENTS.md": "Be kind." });
    host.script((_method, { pathname }) =>
      pathname.includes("/acme/site/git/trees/") ? { status: 200, body: { tree: [], truncated: true } } : undefined,
    );
    const { items, complete } = await found();
    expect([items.length, complete]).toEqual([1, false]);
  });

  it("is not called complete where a listed repository cannot be used", async () => {
    await push(host.admin, "agents", { "AGENTS.md": "Be kind." });
    const { data } = await host.as(TOKEN).repos.listForAuthenticatedUser();
    const body = data.map((one) => (one.name === "site" ? { ...one, private: null } : one));
    host.script((_method, { pathname }) => (pathname === "/user/repos" ? { status: 200, body } : undefined));
    for (const limit of [1, 200]) {
      const { items, complete } = await found(limit);
      expect([items.length, complete]).toEqual([1, false]);
    }
  });

  it("is not called complete where the list has moved, however its pages are cut", async () => {
    await push(host.admin, "agents", { "AGENTS.md": "Be kind.", "a/AGENTS.md": "Be kind.", "b/AGENTS.md": "Be kind." });
    const { data } = await host.as(TOKEN).repos.listForAuthenticatedUser();
    const named = (name: string) => data.filter((one) => one.name === name);
    for (const isMoved of [false, true]) {
      host.script((_method, { pathname, searchParams }) => {
        if (pathname !== "/user/repos") return undefined;
        if (searchParams.get("per_page") === "1") return { status: 200, body: named(isMoved ? "tools" : "site") };
        if (searchParams.get("page") === "2") return { status: 200, body: named("agents") };
        return {
          status: 200,
          body: named("site"),
          headers: { link: '<https://host.test/user/repos?page=2>; rel="next"' },
        };
      });
      for (const limit of [1, 2, 200]) {
        const { items, complete } = await found(limit);
        expect([items.length, complete], `moved: ${isMoved}, ${limit} at a time`).toEqual([3, !isMoved]);
      }
    }
  });

  it.each(["/acme/site/commits/", "/acme/site"])("is not called complete where the host hides %s", async (hidden) => {
    await push(host.admin, "agents", { "AGENTS.md": "Be kind." });
    await push(host.admin, "site", { "AGENTS.md": "Be kind." });
    host.script((_method, { pathname }) =>
      pathname.startsWith(`/repos${hidden}`) ? { status: 404, body: {} } : undefined,
    );
    const { items, complete } = await found();
    expect([items.map(({ name }) => name), complete]).toEqual([["acme/agents/AGENTS.md"], false]);
  });

  it("of an empty repository is none", async () => {
    await host.admin.repos.createInOrg({ org: "acme", name: "empty" });
    await host.admin.repos.addCollaborator({
      owner: "acme",
      repo: "empty",
      username: "acme-admin",
      permission: "admin",
    });
    expect(await found()).toMatchObject({ items: [], complete: true });
  });
});
