import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HOSTILE_TEXTS, newEnrolmentCode, type Scene } from "@reeve/testkit";
import { program } from "@reeve/testkit/programs";
import { describe, expect, inject, it } from "vitest";
import { hasNamespaces, Machine } from "./machine.js";
import { type Call, scriptedModel } from "./scripted-model.js";
import { Service } from "./service.js";

const installed = "/opt/reeve-clients/node_modules";
const marksServer = fileURLToPath(new URL("./marks-server.mjs", import.meta.url));
const reason = "because a test wants it so";

/** How one client is started against a model, and how its model asks for tools. */
interface Client {
  readonly client: string;
  readonly found: ReturnType<typeof program>;
  readonly directory: string;
  /** How its hook names its shell and the tool of the MCP server. */
  readonly names: {
    readonly shell: string;
    readonly mark: string;
    /** What its hook calls tools that its model knows by another name; `mcp_`: no tool of its own. */
    readonly asked?: Readonly<Record<string, string>>;
  };
  /** Whether its static rules leave tools of MCP servers to the hook. */
  readonly leavesToHook: boolean;
  /** Whether the files make it send telemetry with the credential of the installation. */
  readonly sendsTelemetry: boolean;
  shell(command: string): Call;
  mark(file: string): Call;
  start(machine: Machine, path: string, model: string): Promise<string>;
}

const CLIENTS: readonly Client[] = [
  {
    client: "claude-code",
    found: program(
      "claude",
      "npm:@anthropic-ai/claude-code@2.1.332",
      `${installed}/@anthropic-ai/claude-code-linux-x64`,
    ),
    directory: "etc/claude-code",
    names: { shell: "Bash", mark: "mcp__marks__mark", asked: { DeferredToolPlaceholder: "mcp_" } },
    leavesToHook: true,
    sendsTelemetry: true,
    shell: (command) => ({ name: "Bash", input: { command } }),
    mark: (file) => ({ name: "mcp__marks__mark", input: { file } }),
    start: (machine, path, model) =>
      machine.run(path, ["-p", "Begin."], {
        ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: "sk-ant-none" },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
      }),
  },
  {
    client: "codex",
    found: program("codex", "npm:@openai/codex@0.171.0", `${installed}/.bin`),
    directory: "etc/codex",
    names: { shell: "Bash", mark: "mcp__marks__mark", asked: { exec_command: "Bash", mark: "mcp_" } },
    leavesToHook: true,
    sendsTelemetry: true,
    shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
    mark: (file) => ({ name: "mark", namespace: "mcp__marks", input: { file } }),
    start: (machine, path, model) => {
      const settings = {
        ...{ model: "scripted", model_provider: "scripted" },
        "model_providers.scripted": { name: "scripted", base_url: `${model}/v1`, wire_api: "responses" },
        "mcp_servers.marks": { command: "node", args: [marksServer] },
      };
      const given = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${inlineToml(value)}`]);
      const open = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      return machine.run(path, ["exec", ...open, ...given, "Begin."], {});
    },
  },
  {
    client: "gemini-cli",
    found: program("gemini", "npm:@google/gemini-cli@0.61.0", `${installed}/.bin`),
    directory: "etc/gemini-cli",
    names: { shell: "run_shell_command", mark: "mcp_marks_mark" },
    // A person is asked, and here there is none.
    leavesToHook: false,
    sendsTelemetry: false,
    shell: (command) => ({ name: "run_shell_command", input: { command } }),
    mark: (file) => ({ name: "mcp_marks_mark", input: { file } }),
    start(machine, path, model) {
      const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
      mkdirSync(join(machine.home, ".gemini"), { recursive: true });
      writeFileSync(join(machine.home, ".gemini/settings.json"), JSON.stringify(settings));
      return machine.run(path, ["--yolo", "-m", "gemini-2.5-flash", "-p", "Begin."], {
        ...{ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true" },
      });
    },
  },
];

function inlineToml(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key} = ${inlineToml(one)}`)
    .join(", ")} }`;
}

/** A tenant whose rules allow, or let wait, by the name of the mark, and the agent of its machines. */
async function govern(scene: Scene, { names: { mark } }: Client) {
  const second = await scene.newUser(["governance_officer"]);
  const send = async (method: string, path: string, body?: object, by = scene.owner) => {
    const answer = await scene.send(method, `/api/v1${path}`, { token: by.token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const approve = async (assetId: string) => {
    const path = `/ai-assets/${assetId}/governance-state`;
    await send("PATCH", path, { status: "under_review", reason });
    await send("PATCH", path, { status: "approved", reason }, second);
  };
  const holds = (part: string) =>
    `has(action.properties.arguments.command) && action.properties.arguments.command.contains("/${part}")`;
  const calls = (properties: object) => ({ action: { name: "tools/call", properties } });
  const marks = { tool: mark, arguments: {} };
  const rules = [
    { key: "waits", effect: "require_approval", if: holds("waits"), message: "A person looks at it." },
    { key: "allowed", effect: "allow", if: holds("allowed"), message: "It is harmless." },
    { key: "marks", effect: "allow", if: `action.properties.tool == "${mark}"`, message: "It is harmless." },
  ];
  const tests = [
    ...["waits", "allowed"].map((name) => ({
      ...{ name, input: calls({ tool: "Bash", arguments: { command: `touch /${name}` } }) },
      expect: name === "waits" ? "require_approval" : "allow",
    })),
    { name: "marks", input: calls(marks), expect: "allow" },
  ];
  await scene.newPolicy("runtime", { rules, tests, status: "active" });
  return { send, approve, second };
}

type Governed = Awaited<ReturnType<typeof govern>>;

/** Servers of strangers, with what would be syntax in the files of clients. None of them can be started or reached. */
const hostileServers = () =>
  HOSTILE_TEXTS.slice(0, 50).map((text, index) => ({
    ...{ name: `${text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")} ${index}`, healthCheck: { enabled: false } },
    ...(index % 2 === 0
      ? { url: `http://127.0.0.1:9/${encodeURIComponent(text)}` }
      : { transport: "stdio", url: null, launch: { command: `/nowhere/${text}`, args: [text, `--${text}=${text}`] } }),
  }));

/** An agent that may use the shell and the MCP server `marks`, approved by a second person, and a code for it. */
async function newCode(scene: Scene, { client, names }: Client, { send, approve, second }: Governed) {
  const { agentId, code } = await newEnrolmentCode(scene);
  const server = await send("POST", "/ai/mcp-servers", {
    ...{ name: "Marks", transport: "stdio", url: null, launch: { command: "node", args: [marksServer] } },
    healthCheck: { enabled: false },
  });
  await approve(server.assetId);
  const { tools } = await send("POST", `/ai-assets/${agentId}/client-pack`, { client, categories: ["shell"] });
  expect(tools.map(({ toolName }: { toolName: string }) => toolName)).toContain(names.shell);
  const { items } = await send("GET", `/ai/agents?assetId=${agentId}`);
  const use = async (servers: readonly { readonly assetId: string }[]) => {
    const mcpServerIds = servers.map(({ assetId }) => assetId);
    await send("PUT", `/ai/agents/${items[0].id}`, { mcpServerIds });
  };
  await use([server]);
  await approve(agentId);
  /** Has the agent use fifty servers of strangers too. */
  const useStrangers = async () => {
    const strangers = [];
    for (const body of hostileServers()) strangers.push(await send("POST", "/ai/mcp-servers", body));
    for (const { assetId } of strangers) await approve(assetId);
    await use([server, ...strangers]);
    await send("PATCH", `/ai-assets/${agentId}/governance-state`, { status: "approved", reason }, second);
  };
  return { agentId, code, useStrangers };
}

/** One call, with what happens before it, and whether it is made. */
interface Cell {
  readonly cell: string;
  readonly call: Call;
  readonly mark: string;
  readonly isMade: boolean;
  before?(results: readonly string[]): Promise<unknown>;
}

/** What a client does with the cells of one session, in their order. */
async function play(
  { start, found }: Client,
  machine: Machine,
  cells: readonly Cell[],
  offered: Set<string> = new Set(),
) {
  const made: Record<string, boolean> = {};
  const failures: unknown[] = [];
  let told: readonly string[] = [];
  const model = await scriptedModel(async (results) => {
    told = results;
    const last = cells[results.length - 1];
    if (last) made[last.cell] = machine.takeMark(last.mark);
    const next = cells[results.length];
    const isReady = await Promise.resolve(next?.before?.(results)).then(
      () => true,
      (error) => failures.push(error) === 0,
    );
    return isReady ? next?.call : undefined;
  }, offered);
  const printed = await start(machine, found.path ?? "", model);
  expect(failures, told.join("\n")).toEqual([]);
  expect(made, [...told, printed].join("\n")).toEqual(Object.fromEntries(cells.map((one) => [one.cell, one.isMade])));
}

/** `npm test` runs two of them, since a client takes half a minute. */
describe.each(inject("isQuick") ? CLIENTS.slice(0, 2) : CLIENTS)("$client", (client) => {
  const { found, directory } = client;
  const note = hasNamespaces ? found.note : " – skipped: programs cannot be given an /etc of their own here";

  it.skipIf(found.path === undefined || !hasNamespaces)(
    `makes the calls that Reeve allows, and no others${note}`,
    async () => {
      const { service, listener, scene } = await Service.start();
      const governed = await govern(scene, client);
      const { send, second } = governed;
      const { agentId, code, useStrangers } = await newCode(scene, client, governed);
      const machine = new Machine();
      const to = ["--to", join(machine.folder, directory)];
      const env = { REEVE_ENROLMENT_CODE: code };
      const enrolled = await machine.reeve("enroll", [service.url, "--client", client.client, "--shared"], env);
      expect(enrolled.code, enrolled.errors).toBe(0);
      const published = await machine.reeve("publish", to);
      expect(published.code, published.errors).toBe(0);

      const touch = (cell: string, mark: string, isMade: boolean, before?: Cell["before"]): Cell => ({
        ...{ cell, mark, isMade, call: client.shell(`touch ${machine.mark(mark)}`) },
        ...(before ? { before } : {}),
      });
      const sessionOf = async () => (await send("GET", `/ai/sessions?agentId=${agentId}`)).items[0].id;
      let [haltId, watch] = ["", ""];
      const offered = new Set<string>();
      const approveLast = (results: readonly string[], body: object = {}) => {
        const approvalId = /apr_\w+/.exec(results.at(-1) ?? "")?.[0];
        return send("PATCH", `/ai-governance/approvals/${approvalId}/approve`, { reason, ...body }, second);
      };
      // Each has a mark of its own, since Gemini CLI ends a conversation in which the same call comes five times.
      await play(
        client,
        machine,
        [
          touch("allowed", "allowed", true),
          { cell: "of an MCP server", mark: "m", isMade: client.leavesToHook, call: client.mark(machine.mark("m")) },
          touch("denied", "other", false),
          touch("waits", "waits", false),
          touch("approved once", "waits", true, (results) => approveLast(results)),
          touch("replayed", "waits", false),
          touch("approved for two", "waits-1", true, (results) =>
            approveLast(results, { scope: { covers: "tool_in_session", uses: 2 } }),
          ),
          touch("the second of two", "waits-2", true),
          touch("a third of two", "waits-3", false),
          touch("watched", "other-1", true, async () => {
            const { team } = (await send("GET", `/ai/installations?agentId=${agentId}`)).items[0];
            watch = `/ai/watches/${(await send("POST", "/ai/watches", { team, reason })).id}`;
            await send("POST", `${watch}/approve`, { reason }, second);
          }),
          touch("watched, and halted", "other-2", false, async () => {
            haltId = (await send("POST", "/ai/halts", { scope: "all_agents", reason })).id;
          }),
          touch("enforced", "other-3", false, async () => {
            await send("POST", `/ai/halts/${haltId}/lift`, { reason });
            const { digest, denied } = await send("GET", `${watch}/summary`);
            expect(denied).toBe(1);
            await send("POST", `${watch}/enforce`, { digest, reason });
          }),
          touch("broken answer", "allowed-1", false, async () =>
            service.answerBy((_request, response) => response.end("<p>Sign in to this network.</p>")),
          ),
          touch("service down", "allowed-2", false, () => service.goAway()),
          touch("service back", "allowed-3", true, async () => {
            service.answerBy(listener);
            await service.comeBack();
          }),
          touch("halted", "allowed-4", false, async () => {
            haltId = (await send("POST", "/ai/halts", { scope: "all_agents", reason })).id;
          }),
          touch("lifted", "allowed-5", true, () => send("POST", `/ai/halts/${haltId}/lift`, { reason })),
          touch("session ended", "allowed-6", false, async () =>
            send("POST", `/ai/sessions/${await sessionOf()}/terminate`, { reason }),
          ),
        ],
        offered,
      );
      const { packs } = await send("GET", "/ai/client-packs");
      const known: { toolName: string }[] = packs.find((pack: object) => Object(pack).client === client.client).tools;
      const names = new Set(known.map(({ toolName }) => toolName));
      const own = [...offered].map((name) => client.names.asked?.[name] ?? name).filter((name) => !/^mcp_/.test(name));
      expect(own.filter((name) => !names.has(name))).toEqual([]);
      const { id } = (await send("GET", `/ai/installations?agentId=${agentId}`)).items[0];
      const { totals } = await send("GET", `/ai/usage?groupBy=tool&installationId=${id}`);
      // Some of what is sent while Reeve is away may be lost.
      expect(totals.modelCalls > 5 && totals.toolCalls > 5, JSON.stringify(totals)).toBe(client.sendsTelemetry);
      await useStrangers();
      expect((await machine.reeve("publish", to)).code).toBe(0);
      const { items } = await send("GET", `/ai/installations?agentId=${agentId}`);
      expect(items[0].effect).toBe("in_force");
      const [{ entries }] = (await send("GET", `/ai/publications?agentId=${agentId}`)).items;
      expect(entries.length).toBeGreaterThan(40);
      await play(client, machine, [
        touch("another session", "allowed", true),
        { cell: "among strangers", mark: "m", isMade: client.leavesToHook, call: client.mark(machine.mark("m")) },
        touch("revoked", "allowed-1", false, () => send("POST", `/ai/installations/${items[0].id}/revoke`, { reason })),
      ]);
      // The files that are left allow no server.
      expect((await machine.reeve("publish", to)).code).toBe(1);
      await play(client, machine, [{ cell: "closed", mark: "m", isMade: false, call: client.mark(machine.mark("m")) }]);
      if (client.client === "claude-code")
        expect(JSON.parse(readFileSync(join(machine.folder, directory, "managed-mcp.json"), "utf8"))).toEqual({
          mcpServers: {},
        });
    },
  );
});
