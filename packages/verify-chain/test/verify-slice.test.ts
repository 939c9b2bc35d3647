import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, createControlPlane, createMemoryStore, exportSlice, type SliceRange } from "@reeve/core";
import { type EventDraft, sha256 } from "@reeve/core/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keysIn } from "../src/slice-command.mjs";
import { canonical } from "../src/verify-chain.mjs";
import { verifySlice } from "../src/verify-slice.mjs";

const HOUR = 3_600_000;
const command = fileURLToPath(new URL("../src/command.mjs", import.meta.url));
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();
const keys = keysIn([pem(publicKey)]);

/** What happens, of which random worlds are made. `null` is a checkpoint. */
type Step = {
  readonly subject: number;
  readonly related: readonly number[];
  readonly actor: number;
  readonly kind: number;
} | null;
const small = fc.nat(4);
const steps = fc.array(
  fc.option(
    fc.record({ subject: small, related: fc.uniqueArray(small, { maxLength: 2 }), actor: fc.nat(2), kind: fc.nat(1) }),
    { freq: 4 },
  ),
  { minLength: 3, maxLength: 40 },
);
const asked = fc.record(
  { subject: fc.array(small, { minLength: 1, maxLength: 2 }), actor: fc.tuple(fc.nat(2)), kind: fc.tuple(fc.nat(1)) },
  { requiredKeys: [] },
);

/** A tenant to whom all of this has happened, with a checkpoint at the end. */
async function worldOf(happened: readonly Step[]) {
  const store = createMemoryStore();
  let now = Date.UTC(2026, 0, 1);
  const clock: Clock = { now: () => now };
  const options = {
    store,
    clock,
    masterKey: randomBytes(32),
    baseUrl: "http://localhost",
    checkpointKey: privateKey,
  };
  const controlPlane = createControlPlane({ ...options, checkpointHours: 1 });
  const { tenantId } = await controlPlane.ensureTenant({ externalId: "t", name: "T" });
  const tenant = store.forTenant(tenantId);
  let count = 0;
  for (const step of [...happened, null]) {
    now += HOUR / 4;
    if (step) {
      count += 1;
      await tenant.append(draftOf(step, count, new Date(now).toISOString()));
    } else {
      now += 2 * HOUR;
      // The events were written beside the kernel.
      await store.dues.lower([tenantId], new Date(now).toISOString());
      await controlPlane.tick();
    }
  }
  return tenant;
}

function draftOf({ subject, related, actor, kind }: NonNullable<Step>, n: number, time: string): EventDraft {
  const data = canonical({ n });
  const attributes = canonical({
    ...{ authid: `usr_${actor}`, authtype: "user", correlationid: `req_${n}`, datahash: sha256(data), id: `evt_x${n}` },
    ...(related.length > 0 ? { related: related.map((id) => `ast_${id}`).join(" ") } : {}),
    ...{ subject: `ast_${subject}`, subjecttype: `kind_${kind}`, time, type: "reeve.asset.updated.v1" },
  });
  return { id: `evt_x${n}`, time, attributes, data, recordHash: sha256(attributes), streams: [`ast_${subject}`] };
}

type Asked = {
  readonly subject?: readonly number[];
  readonly actor?: readonly number[];
  readonly kind?: readonly number[];
};
const criteriaOf = ({ subject, actor, kind }: Asked): NonNullable<SliceRange["criteria"]> => ({
  ...(subject ? { subject: [...new Set(subject)].map((id) => `ast_${id}`) } : {}),
  ...(actor ? { actor: actor.map((id) => `usr_${id}`) } : {}),
  ...(kind ? { kind: kind.map((id) => `kind_${id}`) } : {}),
});
const isAsked = (step: NonNullable<Step>, { subject, actor, kind }: Asked) =>
  (subject?.some((id) => step.subject === id || step.related.includes(id)) ?? true) &&
  (actor?.includes(step.actor) ?? true) &&
  (kind?.includes(step.kind) ?? true);

async function sliceOf(tenant: Awaited<ReturnType<typeof worldOf>>, range: SliceRange): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportSlice(tenant, range)) lines.push(line);
  return lines;
}

/** All parts of a slice, of a few events each. */
async function partsOf(tenant: Awaited<ReturnType<typeof worldOf>>, range: SliceRange): Promise<string[]> {
  const lines: string[] = [];
  for (let after = 0; ; ) {
    lines.push(...(await sliceOf(tenant, { ...range, after })));
    const { trailer } = JSON.parse(lines.at(-1) as string);
    if (trailer.complete) return lines;
    after = trailer.to;
  }
}

const check = (lines: readonly string[]) => verifySlice([Buffer.from(lines.join(""))], { keys });

/** Lines of one part, with a trailer that counts them, as somebody makes it who hides a change. */
function withTrailer(lines: readonly string[], trailer: object): string[] {
  const shown = lines.filter((line) => line.startsWith('{"event"')).length;
  const hash = createHash("sha256").update(lines.join("")).digest("hex");
  return [...lines, `${canonical({ trailer: { ...trailer, events: shown, sha256: hash } })}\n`];
}

describe("slices of random worlds", () => {
  it("are verified, in one part and in many, and hold each event that is asked for", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, asked, fc.integer({ min: 1, max: 4 }), async (happened, which, limit) => {
        const tenant = await worldOf(happened);
        const criteria = criteriaOf(which);
        // Events of the kernel are of neither of these kinds and about none of these subjects.
        const isNarrow = Object.keys(criteria).length > 0;
        const events = happened.filter((step) => step && isAsked(step, which)).length;
        const proven = { valid: true, covered: true, complete: true, fault: null, ...(isNarrow ? { events } : {}) };
        expect(await check(await sliceOf(tenant, { criteria }))).toMatchObject(proven);
        expect(await check(await partsOf(tenant, { criteria, limit }))).toMatchObject(proven);
        expect(await check(await partsOf(tenant, { criteria, walked: 1 }))).toMatchObject(proven);
      }),
      { numRuns: 25 },
    );
  });

  it("are refused with a line left out, repeated, moved or from elsewhere", { timeout: 120_000 }, async () => {
    const how = fc.constantFrom("remove", "repeat", "move", "replace");
    await fc.assert(
      fc.asyncProperty(steps, asked, how, fc.nat(100), fc.nat(100), async (happened, which, edit, from, to) => {
        const criteria = criteriaOf(which);
        const lines = await sliceOf(await worldOf(happened), { criteria });
        const others = await sliceOf(await worldOf([...happened].reverse()), { criteria });
        const { trailer } = JSON.parse(lines.at(-1) as string);
        const edited = lines.slice(0, -1);
        const [line] = edited.splice(from % edited.length, 1) as [string];
        if (edit === "repeat") edited.splice(from % lines.length, 0, line, line);
        if (edit === "move") edited.splice(to % (edited.length + 1), 0, line);
        if (edit === "replace") edited.splice(from % (edited.length + 1), 0, others[from % (lines.length - 1)] ?? "");
        fc.pre(edited.join("") !== lines.slice(0, -1).join(""));
        const found = await check(withTrailer(edited, trailer));
        expect([found.valid, found.fault?.reason.length ?? 0], edit).toEqual([false, expect.any(Number)]);
      }),
      { numRuns: 50 },
    );
  });

  it("are refused with any other byte in any place", { timeout: 120_000 }, async () => {
    const step = { subject: 1, related: [2], actor: 1, kind: 0 };
    const tenant = await worldOf([step, { ...step, subject: 3 }, null, step, { ...step, related: [] }, null, step]);
    const lines = await sliceOf(tenant, { criteria: { subject: ["ast_1"], actor: ["usr_1"] } });
    const { trailer } = JSON.parse(lines.at(-1) as string);
    const bytes = Buffer.from(lines.slice(0, -1).join(""));
    // Of a checkpoint that the newest one vouches for, the signature counts for nothing.
    const text = bytes.toString().split("\n");
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
        fc.pre(bytes[at] !== byte && !isInSignature(text, at));
        const edited = Buffer.from(bytes);
        edited[at] = byte;
        const [end] = withTrailer([edited.toString("latin1")], trailer).slice(-1) as [string];
        const sum = createHash("sha256").update(edited).digest("hex");
        const shown = { ...JSON.parse(end).trailer, events: trailer.events, sha256: sum };
        const found = await verifySlice([edited, Buffer.from(`${canonical({ trailer: shown })}\n`)], { keys });
        expect(found.valid, `byte ${at} made ${byte}`).toBe(false);
      }),
      { numRuns: 800 },
    );
  });
});

/** Whether a byte is in the signature of a checkpoint before the newest one. */
function isInSignature(lines: readonly string[], at: number): boolean {
  let start = 0;
  for (const line of lines) {
    const begin = line.indexOf('"signature":');
    const isOlder = line.startsWith('{"segment"') && begin >= 0;
    if (isOlder && at >= start + begin && at < start + line.indexOf("}", begin)) return true;
    start += line.length + 1;
  }
  return false;
}

describe("a list of the index", () => {
  it("is not cut by hiding its beginning in the blind", async () => {
    const step = { subject: 1, related: [], actor: 1, kind: 0 };
    const lines = await sliceOf(await worldOf([step, step]), { criteria: { subject: ["ast_1"] } });
    const { trailer } = JSON.parse(lines.at(-1) as string);
    const at = lines.findIndex((line) => line.startsWith('{"segment"') && line.includes('"blind"'));
    const { segment } = JSON.parse(lines[at] as string);
    const [proof] = segment.keys;
    const [sequence, entry] = proof.entries.shift();
    proof.blind = `${proof.blind}\n${String(sequence).padStart(12, "0")} ${entry}`;
    const edited = lines.slice(0, -1);
    edited.splice(at, 2, `${canonical({ segment })}\n`);
    expect(await check(withTrailer(edited, trailer))).toMatchObject({
      valid: false,
      fault: { reason: expect.stringContaining("the list of subject:ast_1 was changed") },
    });
  });
});

describe("the command", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "reeve-slice-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = (...args: string[]) => spawnSync(process.execPath, [command, "slice", ...args], { encoding: "utf8" });

  it("says in words what is proven, and writes a page of it", async () => {
    const step = { subject: 1, related: [2], actor: 1, kind: 0 };
    const tenant = await worldOf([step, null, { ...step, subject: 4 }, step]);
    const file = put("slice.jsonl", (await sliceOf(tenant, { criteria: { subject: ["ast_1"] } })).join(""));
    const jwk = put("key.json", JSON.stringify({ keys: [publicKey.export({ format: "jwk" })] }));
    const page = join(folder, "page.html");
    for (const key of [
      jwk,
      put("key.pem", pem(publicKey)),
      put("jwk.json", JSON.stringify(publicKey.export({ format: "jwk" }))),
    ]) {
      const { status, stdout, stderr } = run("--key", key, "--html", page, file);
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^valid\nevents: 2 of tenant tnt_\w+ that name the subject ast_1; 0 of them without/);
      expect(stdout).toMatch(
        /complete: no events that name the subject ast_1, with a sequence above 0 and up to \d+, are missing/,
      );
    }
    const html = readFileSync(page, "utf8");
    expect(html).toContain("<td>kind_0 ast_1</td>");
    expect(html).not.toMatch(/<script|https?:|src=/);
  });

  it("ends with 1 for another key, and with 2 where it cannot verify", async () => {
    const file = put("slice.jsonl", (await sliceOf(await worldOf([]), {})).join(""));
    const other = run("--key", put("other.pem", pem(generateKeyPairSync("ed25519").publicKey)), file);
    expect([other.status, other.stdout]).toEqual([1, expect.stringContaining("not signed by that key")]);
    for (const args of [[], [file], ["--nonsense", file], ["--key", file, file], ["--key", join(folder, "none"), file]])
      expect(run(...args).status, args.join(" ")).toBe(2);
    const { status, stdout } = run("--help");
    expect([status, stdout]).toEqual([0, expect.stringContaining("Usage: reeve-verify-chain slice")]);
    const piped = spawnSync(process.execPath, [command, "slice", "--key", put("key.pem", pem(publicKey)), "-"], {
      input: readFileSync(file),
      encoding: "utf8",
    });
    expect(piped.status, piped.stdout).toBe(0);
  });
});
