import { spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@reeve/testkit/postgres";
import { program, TimeStampingAuthority } from "@reeve/testkit/programs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readSettings } from "../src/settings/settings.js";
import { ServerProcess } from "./server-process.js";

const openssl = program("openssl", "openssl");
const { privateKey } = generateKeyPairSync("ed25519");
const pem = String(privateKey.export({ format: "pem", type: "pkcs8" }));
const verifier = fileURLToPath(new URL("../../verify-chain/src/command.mjs", import.meta.url));
const credentials = { username: "ada@acme.example", password: "violet tram at noon" };

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "reeve-checkpoints-"));
  file = join(folder, "checkpoints.pem");
  writeFileSync(file, pem, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the key of checkpoints", () => {
  it("is read from the environment or from a file, and its faults never show it", () => {
    expect(readSettings({ REEVE_CHECKPOINT_KEY: pem })).toMatchObject({ checkpoints: { checkpointKey: pem } });
    expect(readSettings({ REEVE_CHECKPOINT_KEY_FILE: file })).toMatchObject({ checkpoints: { checkpointKey: pem } });
    const another = String(
      generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "pem", type: "pkcs8" }),
    );
    const told = (env: Record<string, string>) => JSON.stringify(readSettings(env));
    expect(told({ REEVE_CHECKPOINT_KEY: another })).toBe(
      '{"faults":["REEVE_CHECKPOINT_KEY must be an Ed25519 private key as PEM"]}',
    );
    expect(told({ REEVE_CHECKPOINT_KEY: pem, REEVE_CHECKPOINT_KEY_FILE: file })).toContain("must not both be set");
    chmodSync(file, 0o666);
    expect(told({ REEVE_CHECKPOINT_KEY_FILE: file })).toContain("must be written by its owner alone");
    chmodSync(file, 0o600);
  });
});

describe.skipIf(!openssl.path)(`a server with a time stamping authority${openssl.note}`, () => {
  it("signs its checkpoints and has them stamped", async () => {
    const authority = await TimeStampingAuthority.start();
    onTestFinished(() => authority.stop());
    const port = await freePort();
    const reeve = await ServerProcess.spawn(folder, {
      ...{ PORT: String(port), REEVE_TICK_SECONDS: "1", REEVE_EGRESS_ALLOW: `127.0.0.1:${authority.port}` },
      ...{ REEVE_CHECKPOINT_KEY_FILE: file, REEVE_TIMESTAMP_URL: authority.url },
    }).ready();
    onTestFinished(async () => void (await reeve.stop("SIGTERM")));
    const ask = async (method: string, path: string, body?: object, token?: string) => {
      const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
      const url = `http://127.0.0.1:${port}/api/v1${path}`;
      return fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    };
    await ask("POST", "/register", { organization: "Acme", ...credentials });
    const { token } = (await (await ask("POST", "/auth/signin", credentials)).json()) as { token: string };
    const slice = async () => (await ask("GET", "/ai-governance/audit/slice", undefined, token)).text();
    await expect.poll(slice).toContain('"timeStamp":"');
    const [exported, key, stamp] = ["slice.jsonl", "public.pem", "stamp.tst"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(exported, await slice());
    writeFileSync(key, String(createPublicKey(privateKey).export({ format: "pem", type: "spki" })));
    const args = [verifier, "slice", "--json", "--key", key, "--time-stamp", stamp, exported];
    const { valid, timeStamp } = JSON.parse(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout);
    expect([valid, timeStamp.policy, timeStamp.signature]).toEqual([true, TimeStampingAuthority.policy, "fits"]);
    const verifying = ["ts", "-verify", "-digest", timeStamp.digest, "-token_in", "-in", stamp];
    expect(() => authority.openssl(...verifying, "-CAfile", authority.root)).not.toThrow();
    expect(reeve.output + reeve.errors).not.toContain(pem.split("\n")[1]);
  });
});
