import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newEnrolmentCode } from "@reeve/testkit";
import { program } from "@reeve/testkit/programs";
import { describe, expect, it } from "vitest";
import { hasNamespaces, Machine } from "./machine.js";
import { type Call, scriptedModel } from "./scripted-model.js";
import { Service } from "./service.js";

const marksServer = fileURLToPath(new URL("./marks-server.mjs", import.meta.url));
const found = program("copilot", "npm:@github/copilot@1.0.102", "/opt/reeve-clients/node_modules/.bin");
const note = hasNamespaces ? found.note : " – skipped: programs cannot be given an /etc of their own here";
const reason = "because a test wants it so";

/** The servers that a user of Copilot has, by name. */
type Servers = Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;

const marks = { command: "node", args: [marksServer] };

/** Has Copilot's model ask for calls one after another. Returns which of the marks they left. */
async function play(machine: Machine, servers: Servers, calls: readonly (readonly [mark: string, call: Call])[]) {
  mkdirSync(join(machine.home, ".copilot"), { recursive: true });
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, { type: "local", tools: ["*"], ...server }]),
  );
  writeFileSync(join(machine.home, ".copilot/mcp-config.json"), JSON.stringify({ mcpServers }));
  const model = await scriptedModel(async (results) => calls[results.length]?.[1]);
  const printed = await machine.run(found.path ?? "", ["-p", "Begin.", "--allow-all-tools", "--allow-all-paths"], {
    ...{ COPILOT_OFFLINE: "true", COPILOT_PROVIDER_BASE_URL: `${model}/v1`, COPILOT_PROVIDER_WIRE_API: "responses" },
    COPILOT_MODEL: "scripted-1",
  });
  return { made: calls.flatMap(([mark]) => (machine.takeMark(mark) ? [mark] : [])), printed };
}

describe("copilot", () => {
  it.skipIf(found.path === undefined || !hasNamespaces)(
    `starts the servers that are published, and no others${note}`,
    async () => {
      const { service, scene } = await Service.start();
      const second = await scene.newUser(["governance_officer"]);
      const send = async (method: string, path: string, body?: object, by = scene.owner) => {
        const answer = await scene.send(method, `/api/v1${path}`, { token: by.token, ...(body ? { body } : {}) });
        expect(answer.status, answer.text).toBeLessThan(300);
        return answer.json;
      };
      const govern = (assetId: string, status: string, by = scene.owner) =>
        send("PATCH", `/ai-assets/${assetId}/governance-state`, { status, reason }, by);
      const { agentId, code } = await newEnrolmentCode(scene);
      const { assetId } = await send("POST", "/ai/mcp-servers", {
        ...{ name: "Marks", transport: "stdio", url: null, launch: marks, healthCheck: { enabled: false } },
      });
      const { items } = await send("GET", `/ai/agents?assetId=${agentId}`);
      await send("PUT", `/ai/agents/${items[0].id}`, { mcpServerIds: [assetId] });
      for (const id of [assetId, agentId]) {
        await govern(id, "under_review");
        await govern(id, "approved", second);
      }
      const machine = new Machine();
      const to = ["--to", join(machine.folder, "etc/github-copilot")];
      const env = { REEVE_ENROLMENT_CODE: code };
      expect((await machine.reeve("enroll", [service.url, "--client", "copilot"], env)).code).toBe(0);
      expect((await machine.reeve("publish", to)).code).toBe(0);

      const call = (name: string, file: string): readonly [string, Call] => [
        file,
        { name, input: { file: machine.mark(file) } },
      ];
      const shell: Call = { name: "bash", input: { command: `touch ${machine.mark("s")}`, description: "Marks." } };
      const servers = { marks, other: { command: "node", args: [marksServer, "--other"] }, renamed: marks };
      const calls = [
        call("marks-mark", "published"),
        call("other-mark", "of other arguments"),
        call("renamed-mark", "renamed"),
        ["s", shell] as const,
      ];
      const first = await play(machine, servers, calls);
      // It compares the program with every argument and not the name. No rule of Reeve is asked about the shell.
      expect(first.made, first.printed).toEqual(["published", "renamed", "s"]);
      await govern(assetId, "suspended");
      expect((await machine.reeve("publish", to)).code).toBe(0);
      const suspended = await play(machine, servers, calls);
      expect(suspended.made, suspended.printed).toEqual(["s"]);
      await govern(assetId, "approved", second);
      expect((await machine.reeve("publish", to)).code).toBe(0);
      const back = await play(machine, servers, calls.slice(0, 1));
      expect(back.made, back.printed).toEqual(["published"]);
      const { items: installations } = await send("GET", `/ai/installations?agentId=${agentId}`);
      await send("POST", `/ai/installations/${installations[0].id}/revoke`, { reason });
      expect((await machine.reeve("publish", to)).code).toBe(1);
      const revoked = await play(machine, servers, calls);
      expect(revoked.made, revoked.printed).toEqual(["s"]);
    },
  );
});
