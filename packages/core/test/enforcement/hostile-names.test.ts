import { HOSTILE_TEXTS, randomOf } from "@reeve/testkit";
import { parse } from "smol-toml";
import { beforeAll, describe, expect, it } from "vitest";
import { PUBLISHED_CLIENTS, type PublishedClient } from "#families/enforcement/publications/fields.js";
import { formats } from "#families/enforcement/publications/files/index.js";
import { loadToml } from "#families/enforcement/publications/files/toml.js";
import { serverNames } from "#families/enforcement/publications/name-servers.js";
import type { McpServer } from "#families/estate/index.js";

const MANY = 1_000;
const SEED = 20_261_130;

/** A thousand servers of strangers, whose names, addresses, programs and arguments are put together of hostile texts. */
function hostileServers(): McpServer[] {
  const random = randomOf(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const text = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(HOSTILE_TEXTS)).join(pick(["", " ", "\n", "-"]));
  return Array.from({ length: MANY }, (_none, index) => {
    const assetId = `ast_${String(index).padStart(20, "0")}${pick(["AAAAAA", "BBBBBB", "CCCCCC"])}`;
    const launch = { command: text() || "x", args: Array.from({ length: Math.floor(random() * 5) }, text) };
    const isLocal = random() < 0.5;
    const url = isLocal ? null : `https://mcp.example/${index}?q=${pick([encodeURIComponent, String])(text())}`;
    return { assetId, name: text(), url, launch: isLocal ? launch : null } as unknown as McpServer;
  });
}

const servers = hostileServers();
const names = serverNames(servers);

/** What a client reads in its files, as entries: name, and address or command line. */
type Read = readonly (readonly [name: string | null, identity: unknown])[];

type Matcher = Record<string, unknown>;

/** A file of Codex, as far as it is about servers. */
interface CodexFile {
  readonly mcp_servers: Record<
    string,
    { readonly identity: { readonly url?: Matcher; readonly command?: { executable: string; args: Matcher[] } } }
  >;
}

const json = (text = "") => JSON.parse(text);
const READERS: Readonly<Record<PublishedClient, (files: ReadonlyMap<string, string>) => readonly Read[]>> = {
  "claude-code": (files) => {
    const { mcpServers } = json(files.get("managed-mcp.json"));
    const { allowedMcpServers, ...settings } = json(files.get("managed-settings.json"));
    expect(Object.keys(settings).sort()).toEqual([
      ...["allowManagedHooksOnly", "allowManagedMcpServersOnly", "env", "hooks", "otelHeadersHelper"],
    ]);
    return [
      Object.entries<Record<string, unknown>>(mcpServers).map(([name, { type, url, command, args, ...more }]) => {
        expect([type, more]).toEqual([url === undefined ? undefined : "http", {}]);
        return [name, url ?? [command, ...(args as string[])]];
      }),
      allowed(allowedMcpServers),
    ];
  },
  codex: (files) => {
    const { mcp_servers, ...settings } = parse(files.get("requirements.toml") ?? "") as unknown as CodexFile;
    expect(Object.keys(settings).sort()).toEqual(["allow_managed_hooks_only", "features", "hooks", "otel"]);
    const exact = ({ match, value, ...more }: Matcher) => {
      expect([match, more]).toEqual(["exact", {}]);
      return value;
    };
    return [
      Object.entries(mcp_servers).map(([name, { identity, ...more }]) => {
        expect(more).toEqual({});
        const { url, command } = identity;
        return [name, url ? exact(url) : [command?.executable, ...(command?.args.map(exact) ?? [])]];
      }),
    ];
  },
  copilot: (files) => [allowed(json(files.get("managed-settings.json")).allowedMcpServers)],
  "gemini-cli": (files) => {
    const { mcp, mcpServers } = json(files.get("settings.json"));
    const { rule } = parse(files.get("policies/reeve.toml") ?? "") as unknown as { rule: Record<string, unknown>[] };
    const asked = rule.filter(({ decision }) => decision === "ask_user").map(({ mcpName }) => mcpName);
    expect([mcp.allowed, asked]).toEqual([Object.keys(mcpServers), Object.keys(mcpServers)]);
    expect(rule.at(-1)).toMatchObject({ toolName: "*", mcpName: "*", decision: "deny" });
    return [
      Object.entries<Record<string, never>>(mcpServers).map(([name, { httpUrl, command, args = [] }]) => [
        name,
        httpUrl ?? [command, ...args],
      ]),
    ];
  },
  vscode: (files) => {
    const { ChatAllowedMcpServers, ...policies } = json(files.get("policy.json"));
    expect(policies).toEqual({ ChatAllowManagedMcpServersOnly: true });
    const { servers: defined } = json(files.get("mcp.json"));
    const read = definitions(defined);
    const [listed, told] = [allowed(json(ChatAllowedMcpServers)), read.map(([, one]) => one)];
    expect(listed).toEqual(told.map((one) => [null, typeof one === "string" ? called(one) : one]));
    return [read];
  },
  cursor: (files) => {
    const { version, hooks } = json(files.get("hooks.json"));
    expect([version, Object.keys(hooks)]).toEqual([1, ["beforeShellExecution", "beforeMCPExecution", "sessionEnd"]]);
    return [definitions(json(files.get("mcp.json")).mcpServers)];
  },
};

const definitions = (all: Readonly<Record<string, Record<string, never>>>): Read =>
  Object.entries(all).map(([name, { type: _type, url, command, args = [], ...more }]) => {
    expect(more).toEqual({});
    return [name, url ?? [command, ...args]];
  });

/** As an address is called. */
const called = (url: string) => new URL(url).href;

const allowed = (list: readonly { serverUrl?: string; serverCommand?: string[] }[]): Read =>
  list.map((entry) => {
    expect(Object.keys(entry)).toHaveLength(1);
    return [null, entry.serverUrl ?? entry.serverCommand];
  });

describe("a thousand servers of strangers", () => {
  beforeAll(loadToml);

  it("have a name each, of letters, digits and single hyphens, whatever others are called", () => {
    const all = [...names.values()];
    expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(MANY);
    for (const name of all) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    // Somebody who knows how servers are told apart cannot take the name of another.
    const ids = ["aaaaaa", "bbbbbb", "cccccc", "dddddd", "eeeeee"].map((end) => `ast_${"0".repeat(20)}${end}`);
    const twins = ["files", "files", "files aaaaaa", "files-bbbbbb", `server of the whole id ${ids[0]}`];
    const told = serverNames(twins.map((name, index) => ({ name, assetId: ids[index] ?? "" })));
    expect(new Set(told.values()).size).toBe(twins.length);
  });

  it.each(PUBLISHED_CLIENTS)("stand in files of %s exactly as they are meant, and nothing else does", (client) => {
    const { entryOf, files } = formats[client];
    const entries = servers.flatMap((server) => entryOf(server, names.get(server) ?? "") ?? []);
    expect(entries.length).toBeGreaterThan(MANY / 3);
    const meant = entries.map(({ assetId, name }): readonly [string, unknown] => {
      const { url, launch } = servers.find((server) => server.assetId === assetId) as McpServer;
      return [name, url ?? [launch?.command, ...(launch?.args ?? [])]];
    });
    const written = files({ entries, baseUrl: "https://reeve.example" });
    const byPath = new Map(written.map(({ path, content }) => [path, content]));
    for (const read of READERS[client](byPath))
      expect(read).toEqual(read[0]?.[0] === null ? meant.map(([, identity]) => [null, identity]) : meant);
    for (const { content } of written) {
      expect(content.isWellFormed()).toBe(true);
      expect(Buffer.from(content).toString("utf8")).toBe(content);
    }
  });

  it.each(["claude-code", "copilot", "gemini-cli"] as const)(
    "are left out for %s where it replaces a part",
    (client) => {
      const replaced = client === "gemini-cli" ? /\$/ : /[$*]/;
      for (const server of servers) {
        const parts = [server.url ?? "", server.launch?.command ?? "", ...(server.launch?.args ?? [])];
        const entry = formats[client].entryOf(server, "x");
        expect(entry === undefined, JSON.stringify(parts)).toBe(parts.some((part) => replaced.test(part)));
      }
    },
  );
});
