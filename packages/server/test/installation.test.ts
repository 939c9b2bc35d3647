import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createWorld, newEnrolmentCode, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "./run-command.js";

/** A server of a world on loopback: the web-standard entry of the control plane behind `node:http`. */
async function served(world: World) {
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const body = sent.length > 0 ? { body: sent } : {};
    const headers = request.headers as Record<string, string>;
    const url = `http://127.0.0.1${request.url}`;
    const answer = await world.controlPlane.fetch(
      new Request(url, { method: request.method ?? "GET", headers, ...body }),
    );
    response.writeHead(answer?.status ?? 404, Object.fromEntries(answer?.headers ?? []));
    response.end(answer ? Buffer.from(await answer.arrayBuffer()) : "{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describe("a machine with agents", () => {
  let world: World;
  let url: string;
  let directory: string;
  let file: string;
  const reeve = (args: string[], settings: Record<string, string> = {}, input = "") =>
    runCommand(args, directory, { REEVE_INSTALLATION_FILE: file, ...settings }, input);
  const question = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });

  beforeAll(async () => {
    world = await createWorld();
    directory = mkdtempSync(join(tmpdir(), "reeve-installation-"));
    file = join(directory, "kept", "installation.json");
    const server = await served(world);
    url = server.url;
    return () => {
      server.close();
      rmSync(directory, { recursive: true, force: true });
    };
  });

  it("is enrolled by a code, writes its files whole, and asks before a call", async () => {
    const { code } = await newEnrolmentCode(world.a);
    const enrolled = await reeve(["enroll", url, "--client", "codex", "--name", "build-7", "--json"], {}, `${code}\n`);
    expect([enrolled.code, enrolled.errors]).toEqual([0, ""]);
    const { credential } = JSON.parse(readFileSync(file, "utf8"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(enrolled.output + enrolled.errors).not.toContain(credential);
    const files = join(directory, "codex");
    const first = await reeve(["publish", "--to", files, "--json"]);
    expect(JSON.parse(first.output)).toMatchObject({
      number: 1,
      entries: 0,
      written: [join(files, "requirements.toml")],
    });
    expect(JSON.parse(first.output).effect).toBe("in_force");
    chmodSync(join(files, "requirements.toml"), 0o640);
    const again = await reeve(["publish", "--to", files, "--json"]);
    expect(JSON.parse(again.output)).toMatchObject({ number: 1, written: [] });
    expect([readdirSync(files), statSync(join(files, "requirements.toml")).mode & 0o777]).toEqual([
      ["requirements.toml"],
      0o640,
    ]);
    const servers = join(directory, "servers.json");
    writeFileSync(
      servers,
      JSON.stringify({ mcpServers: { mine: { command: "npx", args: ["-y", "mine", "s3cret"] } } }),
    );
    const told = ["--servers", servers, "--client-version", "0.171.0"];
    expect((await reeve(["publish", "--to", files, ...told])).code).toBe(0);
    const path = `/api/v1/ai/installations/${JSON.parse(readFileSync(file, "utf8")).installationId}`;
    const shown = await world.send("GET", path, { token: world.a.owner.token });
    expect(shown.json).toMatchObject({
      ...{ effect: "in_force", clientVersion: "0.171.0" },
      unpublishedServers: [{ name: "mine", kind: "command", shown: "npx" }],
    });
    expect(shown.text).not.toContain("s3cret");
    const ending = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...ending, expiresAt: new Date(Date.now() + 29 * 86_400_000).toISOString() }));
    expect((await reeve(["publish", "--to", files])).code).toBe(0);
    const renewed = JSON.parse(readFileSync(file, "utf8"));
    expect([renewed.credential === ending.credential, statSync(file).mode & 0o777]).toEqual([false, 0o600]);
    const asked = await reeve(["hook", "--client", "codex"], {}, question);
    expect([asked.code, asked.output]).toEqual([2, ""]);
    expect(asked.errors).toContain("Denied by a rule of your organisation.");
  });

  it("answers Cursor in its own form, and writes files that were not tried", async () => {
    const other = join(directory, "cursor.json");
    const settings = { REEVE_INSTALLATION_FILE: other };
    const { code } = await newEnrolmentCode(world.a);
    expect((await reeve(["enroll", url, "--client", "cursor"], settings, `${code}\n`)).code).toBe(0);
    const files = join(directory, "cursor");
    expect((await reeve(["publish", "--to", files], settings)).code).toBe(0);
    expect(readdirSync(files).sort()).toEqual(["hooks.json", "mcp.json"]);
    const ask = (body: object) => reeve(["hook", "--client", "cursor"], settings, JSON.stringify(body));
    const denied = await ask({ hook_event_name: "beforeShellExecution", command: "ls", conversation_id: "c1" });
    expect([denied.code, JSON.parse(denied.output)]).toMatchObject([0, { permission: "deny" }]);
    expect((await ask({ hook_event_name: "sessionEnd", conversation_id: "c1" })).code).toBe(0);
    // The form of another client has no decision for Cursor.
    expect((await ask({ hook_event_name: "PreToolUse", tool_name: "Shell" })).code).toBe(2);
  });

  it("blocks the call whatever goes wrong", async () => {
    const other = join(directory, "other.json");
    const faults: [string[], Record<string, string>, string][] = [
      [["--client", "claude-code"], {}, question],
      [["--client", "vim"], {}, question],
      [["--client", "codex"], {}, "{ torn"],
      [["--client", "codex"], { REEVE_INSTALLATION_FILE: other }, question],
    ];
    for (const [args, settings, input] of faults) {
      const { code, output, errors } = await reeve(["hook", ...args], settings, input);
      expect([code, output], errors).toEqual([2, ""]);
      expect(errors).toContain("Blocked");
    }
  });

  it("allows no server any more once it is revoked", async () => {
    const files = join(directory, "codex");
    rmSync(join(files, "requirements.toml"));
    const { installationId } = JSON.parse(readFileSync(file, "utf8"));
    const path = `/api/v1/ai/installations/${installationId}/revoke`;
    await world.send("POST", path, { token: world.a.owner.token, body: { reason: "The machine is gone." } });
    const refused = await reeve(["publish", "--to", files]);
    expect(refused.code).toBe(1);
    expect(existsSync(join(files, "requirements.toml"))).toBe(true);
    expect((await reeve(["hook", "--client", "codex"], {}, question)).code).toBe(2);
  });
});
