import { spawnSync } from "node:child_process";
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createControlPlane, createMemoryStore, exportSlice } from "@reeve/core";
import { program, TimeStampingAuthority } from "@reeve/testkit/programs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keysIn } from "../src/slice-command.mjs";
import { timeStampOf } from "../src/time-stamp/token.mjs";
import { canonical } from "../src/verify-chain.mjs";
import { verifySlice } from "../src/verify-slice.mjs";

const openssl = program("openssl", "openssl");
const command = fileURLToPath(new URL("../src/command.mjs", import.meta.url));
const { privateKey } = generateKeyPairSync("ed25519");
const pem = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
const keys = keysIn([pem]);

describe.skipIf(!openssl.path)(`the time stamp of a slice${openssl.note}`, () => {
  let authority: TimeStampingAuthority;
  let folder: string;
  /** A slice of each of two tenants. */
  let ours: string[];
  let theirs: string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "reeve-stamp-"));
    authority = await TimeStampingAuthority.start();
    [ours, theirs] = (await slices()) as [string[], string[]];
  });
  afterAll(async () => {
    await authority.stop();
    rmSync(folder, { recursive: true });
  });

  async function slices(): Promise<string[][]> {
    const store = createMemoryStore();
    const plane = createControlPlane({
      ...{ store, masterKey: randomBytes(32), baseUrl: "http://localhost", checkpointKey: privateKey },
      ...{ timestampUrl: authority.url, egressAllow: ["127.0.0.1"] },
    });
    const tenants = [
      await plane.ensureTenant({ externalId: "acme", name: "Acme" }),
      await plane.ensureTenant({ externalId: "globex", name: "Globex" }),
    ];
    for (const { tenantId } of tenants) {
      const ada = { tenantId, userId: "ada", username: "ada@acme.example", roles: ["admin"] };
      await plane.call("aiAgents.create", await plane.principalOf(ada), { body: { name: "Refund agent" } });
    }
    await plane.tick();
    const lines = await Promise.all(
      tenants.map(async ({ tenantId }) => {
        const slice: string[] = [];
        for await (const line of exportSlice(store.forTenant(tenantId))) slice.push(line);
        return slice;
      }),
    );
    await plane.close();
    return lines;
  }

  const begin = ([first]: readonly string[]) => JSON.parse(first as string).slice;
  const tokenOf = (lines: readonly string[]) => Buffer.from(begin(lines).timeStamp, "base64");
  const textOf = (lines: readonly string[]) => canonical(begin(lines).head);

  /** The slice with another time stamp, and a trailer that fits. */
  function withToken(lines: readonly string[], timeStamp: unknown): string[] {
    const { timeStamp: _, ...slice } = begin(lines);
    const changed = [
      `${canonical({ slice: { ...slice, ...(timeStamp === undefined ? {} : { timeStamp }) } })}\n`,
      ...lines.slice(1, -1),
    ];
    const { trailer } = JSON.parse(lines.at(-1) as string);
    const sha256 = createHash("sha256").update(changed.join("")).digest("hex");
    return [...changed, `${canonical({ trailer: { ...trailer, sha256 } })}\n`];
  }

  const check = (lines: readonly string[]) => verifySlice([Buffer.from(lines.join(""))], { keys });
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = (lines: readonly string[], ...args: string[]) =>
    spawnSync(
      process.execPath,
      [command, "slice", "--key", put("key.pem", pem), ...args, put("slice.jsonl", lines.join(""))],
      { encoding: "utf8" },
    );

  it("is told with its policy, and OpenSSL verifies the file by the command that is told", () => {
    const file = join(folder, "stamp.tst");
    const { status, stdout, stderr } = run(ours, "--time-stamp", file);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /time stamp: of that checkpoint, for \d{4}-.*Z, by the policy 1\.2\.3\.4\.1; its signature fits a certificate in it/,
    );
    const [, told = ""] = /NOT checked here: .* Ask: (openssl ts -verify .*)/.exec(stdout) ?? [];
    const args = told.replace("<certificates of the authority>", authority.root).split(" ").slice(1);
    const verified = spawnSync("openssl", args, { encoding: "utf8" });
    expect([verified.status, verified.stdout.trim()], verified.stderr).toEqual([0, "Verification: OK"]);
    expect(authority.verifies(readFileSync(file), textOf(ours))).toBe(true);
  });

  it("may be absent, and then none is written", async () => {
    const lines = withToken(ours, undefined);
    expect(await check(lines)).toMatchObject({ valid: true, timeStamp: null });
    const { status, stderr } = run(lines, "--time-stamp", join(folder, "none.tst"));
    expect([status, stderr]).toEqual([2, expect.stringContaining("there is no time stamp in it")]);
  });

  it.each<[string, () => unknown, string]>([
    ["of another checkpoint", () => begin(theirs).timeStamp, "it is of another checkpoint"],
    ["that is no text", () => 7, "it is not base64"],
    ["that is no base64", () => "§", "it is not base64"],
    ["that is empty", () => "", "it is not base64"],
    ["that is cut off", () => tokenOf(ours).subarray(0, -1).toString("base64"), "it ends too early"],
    [
      "with more behind it",
      () => Buffer.concat([tokenOf(ours), Buffer.of(5, 0)]).toString("base64"),
      "something follows",
    ],
    [
      "that is a whole answer",
      () => authority.reply(authority.query("ab".repeat(32))).toString("base64"),
      "another kind",
    ],
    [
      "without a certificate",
      () => {
        const reply = authority.reply(authority.query(createHash("sha256").update(textOf(ours)).digest("hex")));
        return reply.subarray(reply.indexOf(Buffer.from("06092a864886f70d010702", "hex")) - 4).toString("base64");
      },
      "holds no certificate that its signature fits",
    ],
  ])("%s is refused, with the reason", async (_, token, reason) => {
    expect(await check(withToken(ours, token()))).toMatchObject({
      valid: false,
      fault: { line: 1, reason: expect.stringMatching(new RegExp(`its time stamp is none: .*${reason}`)) },
    });
  });

  it("is refused with any other byte in what it states or in its signature, and with any part missing", () => {
    const [token, text] = [tokenOf(ours), textOf(ours)];
    // From its policy to the serial number of its signer's certificate, and the end of its signature.
    const stated = token.indexOf(Buffer.from("06042a030401", "hex"));
    const places = fc.oneof(
      fc.integer({ min: stated, max: stated + 60 }),
      fc.integer({ min: 1, max: 60 }).map((n) => token.length - n),
    );
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 255 }), (at, change) => {
        const edited = Buffer.from(token);
        edited[at] = (edited[at] as number) ^ change;
        expect(() => timeStampOf(edited.toString("base64"), text), `byte ${at}`).toThrow(/its time stamp is none/);
      }),
      { numRuns: 500 },
    );
    for (let size = 1; size < token.length; size += 1)
      expect(() => timeStampOf(token.subarray(0, size).toString("base64"), text)).toThrow(/its time stamp is none/);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => timeStampOf(Buffer.from(bytes).toString("base64"), text)).toThrow(/its time stamp is none/);
      }),
    );
  });
});
