import { connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpRegistry } from "../src/mcp-registry/index.js";
import { failureOf } from "./support/failure.js";
import { LOOPBACK, queryOf, serve, serveAnswer } from "./support/http-server.js";
import { ODD_ENTRIES } from "./support/odd-entries.js";
import { entry, startRegistry } from "./support/registry.js";

const registry = (baseUrl: string, token?: string, config: Record<string, unknown> = {}) => {
  const connector = mcpRegistry();
  const secrets: Record<string, string> = token === undefined ? {} : { token };
  const parts = connectorParts(connector, { config: { baseUrl, ...config }, secrets, allow: LOOPBACK });
  return connectorCalls(connector, parts);
};

/** One entry of each kind that is published. */
const PUBLISHED = [
  entry("com.example/remote", {
    title: "Remote",
    remotes: [
      { type: "sse", url: "https://mcp.example.com/sse" },
      { type: "streamable-http", url: "https://mcp.example.com/mcp", headers: [{ name: "X-Key", isSecret: true }] },
    ],
    repository: { url: "https://git.example.com/acme/remote", source: "github", id: "b94b5f7e" },
  }),
  entry("io.github.acme/files", {
    packages: [
      {
        registryType: "npm",
        identifier: "@acme/files",
        version: "1.2.0",
        transport: { type: "stdio" },
        environmentVariables: [{ name: "API_KEY", isRequired: true, isSecret: true }],
      },
    ],
  }),
  entry(
    "com.example/old",
    { remotes: [{ type: "streamable-http", url: "https://{host}.example.com/mcp" }] },
    { status: "deprecated", isLatest: true },
  ),
];

/** A registry that ends with the test. */
const published: typeof startRegistry = async (all, token) => {
  const target = await startRegistry(all, token);
  onTestFinished(target.close);
  return target;
};

describe("the servers of a registry", () => {
  it("are found page by page, with transport, address or package, version and repository", async () => {
    const { url, requests } = await published(PUBLISHED);
    const calls = registry(`${url}/`);
    const { items, complete, pages } = await listAll((page) => calls.discoverAssets(page), 2);
    expect({ complete, pages }).toEqual({ complete: true, pages: 2 });
    expect(requests.every((request) => queryOf(request).get("version") === "latest")).toBe(true);
    expect(items).toMatchObject([
      {
        externalId: "com.example/remote",
        assetType: "mcp_server",
        name: "Remote",
        provider: "com.example",
        record: {
          registryName: "com.example/remote",
          transport: "streamable_http",
          url: "https://mcp.example.com/mcp",
        },
        metadata: { version: "1.2.0", repository: { url: "https://git.example.com/acme/remote", source: "github" } },
        found: [{ location: `${url}/v0.1/servers/com.example%2Fremote`, revision: "1.2.0" }],
      },
      {
        name: "io.github.acme/files",
        record: {
          transport: "stdio",
          package: { registryType: "npm", identifier: "@acme/files", version: "1.2.0", sha256: null },
        },
      },
      { externalId: "com.example/old", tags: ["deprecated"], record: { transport: "streamable_http" } },
    ]);
    expect(items[2]?.record).not.toHaveProperty("url");
  });

  it("are read with the token and the search of the configuration", async () => {
    const { url } = await published(PUBLISHED, "t0ken-of-ours");
    const calls = registry(url, "t0ken-of-ours", { search: "acme" });
    expect((await listAll((page) => calls.discoverAssets(page))).items).toHaveLength(1);
    expect(await failureOf(registry(url, "another").testConnection())).toMatchObject({ errorClass: "auth" });
  });

  it("are not concluded to be all where only changes were asked for", async () => {
    const { url, requests } = await published(PUBLISHED);
    const page = await registry(url).discoverAssets({ limit: 50, since: new Date(0) });
    expect(page.complete).toBe(false);
    expect(queryOf(requests[0] as never).get("updated_since")).toBe("1970-01-01T00:00:00.000Z");
  });

  it("make the test pass, and warn where there are none", async () => {
    const { url } = await published(PUBLISHED);
    expect(await registry(url).testConnection()).toMatchObject({
      checks: [{ status: "pass" }],
      target: { id: url },
    });
    const empty = await serveAnswer(200, { servers: null, metadata: { count: 0 } });
    expect((await registry(empty.url).testConnection()).checks[0]?.status).toBe("warn");
  });
});

describe("a hostile or broken registry", () => {
  const walked = (url: string) => {
    const calls = registry(url);
    return failureOf(listAll((page) => calls.discoverAssets(page), 10));
  };

  it("whose pages lead back to themselves is given up", async () => {
    const { url, requests } = await serve((request, response) => {
      const next = queryOf(request).get("cursor") === "a" ? "b" : "a";
      response.end(JSON.stringify({ servers: [], metadata: { nextCursor: next } }));
    });
    expect(await walked(url)).toMatchObject({ errorClass: "invalid", code: "pagination_loop" });
    expect(requests).toHaveLength(4);
  });

  it.each([
    ["10 MB", { servers: ["x".repeat(10_000_000)] }, "too_large"],
    ["more than was asked for", { servers: Array.from({ length: 21 }, (_, at) => entry(`a/${at}`)) }, "page_too_large"],
    ["an object for a list", { servers: {} }, "unexpected_shape"],
    ["a cursor of a megabyte", { servers: [], metadata: { nextCursor: "x".repeat(1_000_000) } }, "unexpected_shape"],
    ["an address for a cursor's place", { servers: [], metadata: { nextCursor: 7 } }, "unexpected_shape"],
    ["a page for people", "<html>", "unexpected_shape"],
  ])("that answers %s is refused", async (_what, body, code) => {
    const { url } = await serveAnswer(200, body);
    expect(await walked(url)).toMatchObject({ errorClass: "invalid", code });
  });

  it("has entries rejected one by one, and counts none of two by one name twice", async () => {
    const servers = [
      entry("a/one"),
      entry("a/one", { version: "6.6.6" }),
      entry("a/one", { version: "1.1.0" }, { status: "active", isLatest: false }),
      entry("a/gone", {}, { status: "deleted", isLatest: true }),
      entry("no-namespace"),
      entry("../../etc/passwd"),
      { server: { title: "Bare" } },
      null,
    ];
    const { url } = await serveAnswer(200, { servers });
    const { items, rejected = [] } = await registry(url).discoverAssets({ limit: 10 });
    expect(items.map(({ externalId, metadata }) => [externalId, metadata?.version])).toEqual([["a/one", "1.2.0"]]);
    expect(rejected.map(({ externalId }) => externalId)).toEqual([
      "a/one",
      "no-namespace",
      "../../etc/passwd",
      undefined,
      undefined,
    ]);
  });

  const remote = { type: "sse", url: "https://mcp.example.com/sse" };
  const npm = { registryType: "npm", identifier: "@acme/files", version: "1.0.0", transport: { type: "stdio" } };
  it.each([
    ["an empty title", { title: "" }, ["title"]],
    ["a title of blanks", { title: "  " }, ["title"]],
    ["a long description", { description: "x".repeat(2_001) }, ["description"]],
    ["an address that is no text", { websiteUrl: 7 }, ["websiteUrl"]],
    ["an empty repository", { repository: { url: "", source: "" } }, ["repository.url", "repository.source"]],
    ["a repository that is a text", { repository: "https://git.example.com/acme" }, ["repository"]],
    ["no version", { version: "" }, ["version"]],
    [
      "a remote of another kind",
      { remotes: [{ type: "websocket", url: "wss://mcp.example.com" }, remote] },
      ["remotes[0]"],
    ],
    ["remotes that are no list", { remotes: [remote], packages: {} }, ["packages"]],
    [
      "a package in another form",
      { packages: [{ registry_name: "npm", name: "x", version: "1" }, npm] },
      ["packages[0]"],
    ],
    ["a package without a version", { packages: [{ ...npm, version: "" }] }, ["packages[0].version"]],
    ["a package with another transport", { packages: [{ ...npm, transport: "pipe" }] }, ["packages[0].transport"]],
    ["a package with a digest that is none", { packages: [{ ...npm, fileSha256: "abc" }, npm] }, ["packages[0]"]],
  ])("that has an entry with %s keeps the rest of it, and names what it leaves out", async (_what, odd, parts) => {
    const { url } = await serveAnswer(200, { servers: [entry("a/one", { remotes: [remote], ...odd })] });
    const page = await registry(url).discoverAssets({ limit: 10 });
    expect(page).toMatchObject({
      complete: true,
      rejected: [],
      items: [{ record: { url: remote.url, transport: "sse" } }],
    });
    expect(page.warnings?.map(({ externalId, part }) => [externalId, part])).toEqual(
      parts.map((part) => ["a/one", part]),
    );
  });

  it("that lists entries of many years keeps all that have a name, and names what it leaves out of each", async () => {
    const good = entry("com.example/good", { remotes: [remote] });
    const { url } = await serveAnswer(200, {
      servers: [...Object.values(ODD_ENTRIES).map((server) => ({ server })), good],
    });
    const { items, rejected, warnings = [] } = await registry(url).discoverAssets({ limit: 20 });
    const leftOut = (name: string) => warnings.flatMap(({ externalId, part }) => (externalId === name ? [part] : []));
    expect(items.map(({ externalId, record }) => [externalId, record, leftOut(externalId)])).toEqual(
      [
        ["io.github.harbour/tides", {}, ["packages[0]"]],
        [
          "io.github.harbour/locks",
          {
            transport: "stdio",
            package: { registryType: "npm", identifier: "@harbour/locks", version: null, sha256: null },
          },
          ["version", "packages[0].version"],
        ],
        ["io.github.harbour/cranes", { transport: "sse", url: "https://cranes.example.com/sse" }, ["description"]],
        [
          "io.github.harbour/buoys",
          { package: { registryType: "pypi", identifier: "buoys", version: "0.1.5", sha256: null } },
          [],
        ],
        ["io.github.harbour/pilots", {}, ["packages[0]", "remotes[0]", "remotes[1]"]],
        ["io.github.harbour/fog", {}, []],
        ["com.example/good", { transport: "sse", url: remote.url }, []],
      ].map(([name, record, parts]) => [name, { registryName: name, ...(record as object) }, parts]),
    );
    expect(rejected).toMatchObject([{ reason: expect.any(String) }]);
  });

  it("that gives a package another digest has no package without one taken over", async () => {
    const { url } = await serveAnswer(200, {
      servers: [entry("a/one", { packages: [{ ...npm, fileSha256: "A".repeat(64) }] })],
    });
    expect((await registry(url).discoverAssets({ limit: 10 })).items[0]?.record).toEqual({ registryName: "a/one" });
  });

  it("that marks an entry as deleted beside an odd date has it left out", async () => {
    const { url } = await serveAnswer(200, { servers: [entry("a/one", {}, { status: "deleted", publishedAt: 7 })] });
    expect((await registry(url).discoverAssets({ limit: 10 })).items).toEqual([]);
  });

  it.each(["file:///etc/passwd", "https://user:pw@x.example/", "https://x.example/?api_key=1", "javascript:alert(1)"])(
    "cannot put the address %s into a record",
    async (address) => {
      const { url } = await serveAnswer(200, {
        servers: [entry("a/one", { remotes: [{ type: "sse", url: address }] })],
      });
      const { items } = await registry(url).discoverAssets({ limit: 10 });
      expect(items[0]?.record).toEqual({ registryName: "a/one", transport: "sse" });
    },
  );

  it("never has the token sent to where it redirects", async () => {
    const other = await serveAnswer(200, { servers: PUBLISHED });
    const { url } = await serveAnswer(307, "", { location: `${other.url}/v0.1/servers` });
    expect(await failureOf(registry(url, "t0ken-of-ours").discoverAssets({ limit: 1 }))).toMatchObject({
      code: "redirect",
    });
    expect(other.requests).toHaveLength(0);
  });

  it("that wants fewer calls says for how long", async () => {
    const { url } = await serveAnswer(429, {}, { "retry-after": "9" });
    expect(await failureOf(registry(url).discoverAssets({ limit: 1 }))).toMatchObject({
      errorClass: "rate_limited",
      retryAfterMs: 9_000,
    });
  });
});
