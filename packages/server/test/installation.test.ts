import { createHash } from "node:crypto";
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
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "./run-command.js";

/** A server of a world on loopback: the web-standard entry of the control plane behind `node:http`. */
async function served(world: World, seen: (method: string, status: number) => void, change: (body: object) => object) {
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const body = sent.length > 0 ? { body: sent } : {};
    const headers = request.headers as Record<string, string>;
    const url = `http://127.0.0.1${request.url}`;
    const answer = await world.controlPlane.fetch(
      new Request(url, { method: request.method ?? "GET", headers, ...body }),
    );
    const { status = 404 } = answer ?? {};
    const { "content-length": _length, ...rest } = Object.fromEntries(answer?.headers ?? []);
    const isPublication = request.url === "/api/v1/ai/installation/publication";
    if (isPublication) seen(request.method ?? "", status);
    response.writeHead(status, rest);
    const text = answer ? await answer.text() : "{}";
    response.end(isPublication && status === 200 ? JSON.stringify(change(JSON.parse(text))) : text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** The digest of files as publications have it. */
const digestOf = (directory: string, files: readonly { path: string; content: string }[]) =>
  createHash("sha256")
    .update(JSON.stringify({ directory, files: files.map(({ content, path }) => ({ content, path })) }))
    .digest("hex");

/** Has a credential end later than it does, so that it is not exchanged: clocks of worlds are behind. */
function lastsLonger(file: string): void {
  const expiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString();
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), expiresAt }));
}

describe("a machine with agents", () => {
  let world: World;
  let url: string;
  let directory: string;
  let file: string;
  let seen: string[] = [];
  let change = (body: object) => body;
  const reeve = (args: string[], settings: Record<string, string> = {}, input = "") =>
    runCommand(args, directory, { REEVE_INSTALLATION_FILE: file, ...settings }, input);
  const question = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });

  beforeAll(async () => {
    world = await createWorld();
    directory = mkdtempSync(join(tmpdir(), "reeve-installation-"));
    file = join(directory, "kept", "installation.json");
    const server = await served(
      world,
      (method, status) => seen.push(`${method} ${status}`),
      (body) => change(body),
    );
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
      written: [join(files, "requirements.toml"), join(directory, "kept/otel-headers")],
    });
    expect(JSON.parse(first.output).effect).toBe("in_force");
    expect(statSync(join(directory, "kept/otel-headers")).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(directory, "kept/otel-headers"), "utf8")).not.toContain(credential);
    const asIs = await reeve(["headers"]);
    expect(JSON.parse(asIs.output)).toEqual({
      Authorization: `Bearer ${JSON.parse(readFileSync(file, "utf8")).credential}`,
    });
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

  it("asks for news alone, and has the server publish only what is new", async () => {
    const other = { REEVE_INSTALLATION_FILE: join(directory, "news.json") };
    const { code } = await newEnrolmentCode(world.a);
    await reeve(["enroll", url, "--client", "codex"], other, `${code}\n`);
    lastsLonger(other.REEVE_INSTALLATION_FILE);
    const files = join(directory, "news");
    const publish = async () => {
      seen = [];
      const { code: ended, output, errors } = await reeve(["publish", "--to", files, "--json"], other);
      expect(ended, errors).toBe(0);
      return [JSON.parse(output).effect, seen];
    };
    expect(await publish()).toEqual(["in_force", ["GET 200", "POST 200"]]);
    expect(await publish()).toEqual(["in_force", ["GET 200"]]);
    expect(await publish()).toEqual(["in_force", ["GET 304"]]);
    // A file that was changed is written again without news.
    writeFileSync(join(files, "requirements.toml"), "");
    expect(await publish()).toEqual(["in_force", ["GET 304"]]);
    expect(readFileSync(join(files, "requirements.toml"), "utf8")).toContain("mcp_servers");
    world.clock.advance(20_000);
    await world.controlPlane.rotateSigningKey();
    expect(await publish()).toEqual(["in_force", ["GET 200", "POST 200"]]);
    world.clock.advance(20_000);
    await world.controlPlane.rotateSigningKey();
    expect((await publish())[0]).toBe("in_force");
  });

  it("leaves the files that are there when a publication is not signed by a key that it knows", async () => {
    const kept = join(directory, "pinned.json");
    const other = { REEVE_INSTALLATION_FILE: kept };
    const { code } = await newEnrolmentCode(world.a);
    await reeve(["enroll", url, "--client", "claude-code"], other, `${code}\n`);
    lastsLonger(kept);
    const files = join(directory, "pinned");
    const publish = (...more: string[]) => reeve(["publish", "--to", files, ...more], other);
    expect((await publish()).code).toBe(0);
    const bundle = JSON.parse(readFileSync(`${kept}.bundle`, "utf8"));
    const texts = () =>
      readdirSync(files).map((name) => statSync(join(files, name)).isFile() && read(join(files, name)));
    const read = (name: string) => readFileSync(name, "utf8");
    const before = [texts(), read(kept)];
    const stranger = await generateKeyPair("ES256", { extractable: true });
    const strange = { ...(await exportJWK(stranger.publicKey)), alg: "ES256", kid: "stranger", use: "sig" };
    const sign = async (claims: object, header: object = {}) =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: "ES256", typ: "reeve-publication+jws", kid: "stranger", ...header })
        .sign(stranger.privateKey);
    const altered = bundle.files.map((one: { path: string }) => ({ ...one, content: "{}\n" }));
    const digest = digestOf(bundle.directory, altered);
    const claims = JSON.parse(Buffer.from(bundle.jws.split(".")[1], "base64url").toString());
    const { kid } = claims.keys[0];
    const known = "is not signed by a key that this machine knows";
    const faults: [object, string][] = [
      [{ files: altered }, "do not have the digest"],
      [{ files: altered, digest }, "that of another publication"],
      [{ closedFiles: altered }, "that of another publication"],
      [{ number: 7 }, "that of another publication"],
      [{ files: altered, digest, jws: await sign({ ...claims, digest, keys: [strange] }) }, known],
      [{ files: altered, digest, jws: await sign({ ...claims, digest, keys: [strange] }, { kid }) }, known],
      [{ jws: "torn" }, known],
    ];
    for (const [fault, said] of faults) {
      change = (body) => ({ ...body, ...fault });
      rmSync(`${kept}.bundle`);
      const { code: ended, errors } = await publish();
      expect([ended, errors]).toEqual([1, expect.stringContaining(said)]);
      expect([texts(), read(kept)]).toEqual(before);
      writeFileSync(`${kept}.bundle`, JSON.stringify({ ...bundle, etag: undefined }));
    }
    // What was true before is refused once there is something newer here.
    change = (body) => body;
    writeFileSync(`${kept}.bundle`, JSON.stringify({ ...bundle, number: 2, etag: undefined }));
    expect((await publish()).errors).toContain("publication 1 is older than 2");
    // Who runs the machine may take the server as it is.
    const { keys: _keys, ...rest } = JSON.parse(before[1] as string);
    writeFileSync(kept, JSON.stringify({ ...rest, keys: [strange] }));
    expect((await publish()).code).toBe(1);
    expect((await publish("--pin")).code).toBe(0);
    expect(JSON.parse(read(kept)).keys).toEqual(claims.keys);
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
