import { spawnSync } from "node:child_process";
import { createHash, createPublicKey } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMemoryStore, exportEvents, type Reader, verifyChain } from "@reeve/core";
import { GENESIS_HASH, linkHash, type StoredEvent } from "@reeve/core/store";
import { eventText } from "@reeve/core/testing";
import { event } from "@reeve/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { canonical, checkpointsIn, type verifyExport as Verify, verifyExport } from "../src/verify-chain.mjs";

const command = fileURLToPath(new URL("../src/verify-chain.mjs", import.meta.url));
const file = fileURLToPath(new URL("../../../docs/reference/event-chain-vectors.json", import.meta.url));
type Options = NonNullable<Parameters<typeof Verify>[1]>;
type Checkpoint = NonNullable<Options["checkpoints"]>[number];
interface Vector {
  readonly name: string;
  readonly lines: readonly string[];
  readonly checkpoints: readonly Checkpoint[];
  readonly valid: boolean;
  readonly sequence?: number;
}
const { publicKey, vectors } = JSON.parse(readFileSync(file, "utf8")) as { publicKey: string; vectors: Vector[] };
const cases = vectors.map((vector) => [vector.name, vector] as const);
/** `npm test` runs the command for each third, as a process each time is most of what these tests take. */
const ofCommand = cases.filter((_, at) => !inject("isQuick") || at % 3 === 0);

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(""));
const check = (lines: readonly string[], options: Options = {}) => verifyExport([bytesOf(lines)], options);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "reeve-verify-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command like an auditor, in a process of its own. */
function run(lines: readonly string[] | Buffer, ...args: string[]) {
  const path = join(folder, "export.jsonl");
  writeFileSync(path, Buffer.isBuffer(lines) ? lines : bytesOf(lines));
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args, path], { encoding: "utf8" });
  return { status, stdout, stderr };
}

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Lines of a beginning with a trailer that fits, as somebody makes it who cuts an export. */
function withTrailer(lines: readonly string[]): string[] {
  const last =
    lines.at(-1) === undefined ? { sequence: "0", eventhash: GENESIS_HASH } : JSON.parse(lines.at(-1) as string);
  const sha256 = createHash("sha256").update(bytesOf(lines)).digest("hex");
  const place = { after: 0, to: Number(last.sequence), events: lines.length, headHash: last.eventhash };
  return [...lines, JSON.stringify({ trailer: { format: "reeve-events/1", ...place, complete: true, sha256 } })];
}

/** The events of an export, as a store returns them. */
function readerOf(lines: readonly string[]): Reader {
  const events = lines.flatMap((line): StoredEvent[] => {
    const value = JSON.parse(line) as Record<string, unknown>;
    if (value.specversion === undefined) return [];
    const { data, sequence, prevhash, eventhash, ...attributes } = value;
    return [
      {
        sequence: Number(sequence),
        id: String(attributes.id),
        attributes: canonical(attributes),
        data: data === null ? null : canonical(data),
        prevHash: String(prevhash),
        eventHash: String(eventhash),
      },
    ];
  });
  const scanEvents = async ({ after = 0, size }: { after?: number; size: number }) => {
    const start = events.findIndex(({ sequence }) => sequence > after);
    return start < 0 ? [] : events.slice(start, start + size);
  };
  return { scanEvents, find: async () => ({ rows: [] }) } as unknown as Reader;
}

describe("the published vectors", () => {
  it("hold enough of both kinds", () => {
    expect(vectors.filter(({ valid }) => valid).length).toBeGreaterThan(5);
    expect(vectors.filter(({ valid }) => !valid).length).toBeGreaterThan(10);
  });

  it.each(ofCommand)("%s: the command says so", (_name, { lines, checkpoints, valid, sequence }) => {
    const kept = written("checkpoints.jsonl", checkpoints.map((one) => JSON.stringify(one)).join("\n"));
    const key = written("key.pem", publicKey);
    const given = checkpoints.length > 0 ? ["--checkpoint", kept, "--key", key] : [];
    const { status, stdout, stderr } = run(lines, "--json", ...given);
    expect([status, stderr]).toEqual([valid ? 0 : 1, ""]);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ valid, fault: valid ? null : { sequence, reason: expect.any(String) } });
  });

  it.each(cases)("%s: the library says so", async (_name, { lines, checkpoints, valid, sequence }) => {
    const key = createPublicKey(publicKey);
    const [first] = await readerOf(lines).scanEvents({ size: 1 });
    const vouched = checkpoints.some(({ toSeq }) => toSeq === (first?.sequence ?? 0) - 1);
    if (vouched) return expect(first?.sequence).toBeGreaterThan(1);
    const report = await verifyChain(readerOf(lines), { checkpoints, ...(checkpoints.length > 0 ? { key } : {}) });
    expect([report.valid, report.fault?.sequence]).toEqual([valid, sequence]);
  });
});

describe("an export", () => {
  async function exported(count: number, erased: readonly number[] = []): Promise<string[]> {
    const tenant = createMemoryStore().forTenant("t");
    for (let n = 1; n <= count; n++) await tenant.append(event(n));
    await tenant.eraseEvents(erased);
    const lines: string[] = [];
    for await (const line of exportEvents(tenant)) lines.push(line.slice(0, -1));
    return lines;
  }

  it("verifies in chunks of any size", async () => {
    const bytes = bytesOf(await exported(20, [3]));
    for (const size of [1, 7, 100, 4_096]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      expect(await verifyExport(chunks)).toMatchObject({
        valid: true,
        events: 20,
        erased: 1,
        tied: true,
        complete: true,
      });
    }
  });

  it("verifies in parts that stand one after the other", async () => {
    const tenant = createMemoryStore().forTenant("t");
    await tenant.append(...Array.from({ length: 30 }, (_, n) => event(n + 1)));
    let text = "";
    for (let after = 0; after < 30; after += 8) {
      for await (const line of exportEvents(tenant, { after, limit: 8 })) text += line;
    }
    expect(await verifyExport([Buffer.from(text)])).toMatchObject({ valid: true, events: 30, to: 30, complete: true });
    const parts = text.split(/(?<=\{"trailer".*\n)/);
    expect(parts).toHaveLength(4);
    const swapped = [parts[0], parts[2], parts[1], parts[3]].join("");
    expect(await verifyExport([Buffer.from(swapped)])).toMatchObject({ valid: false, fault: { sequence: 9 } });
  });

  it("of a tenant without events is told from a file without anything", async () => {
    expect(await check(await exported(0))).toMatchObject({ valid: true, events: 0, to: 0, headHash: GENESIS_HASH });
    expect(await check([])).toMatchObject({ valid: false });
  });

  it("that was cut off anywhere is found by its trailer", async () => {
    const bytes = bytesOf(await exported(6));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 2 }), async (end) => {
        expect((await verifyExport([bytes.subarray(0, end)])).valid).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("betrays any other byte in any place", { timeout: 60_000 }, async () => {
    const bytes = bytesOf(await exported(6, [2]));
    const arbitrary = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ at, byte }) => {
        fc.pre(bytes[at] !== byte);
        const edited = Buffer.from(bytes);
        edited[at] = byte;
        const found = await verifyExport([edited]);
        // The end of the trailer is only a claim, and the last line feed is optional.
        const trailer = bytes.lastIndexOf('"complete":');
        if (at < trailer) expect(found.valid, `byte ${at} made ${byte}`).toBe(false);
      }),
      { numRuns: 1_500 },
    );
  });

  it("betrays lines left out, repeated and moved, also with a trailer that fits", async () => {
    const lines = (await exported(12)).slice(0, -1);
    const arbitrary = fc.tuple(fc.constantFrom("remove", "repeat", "move"), fc.nat(10), fc.nat(11));
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([how, from, to]) => {
        const edited = [...lines];
        const [line] = edited.splice(from, 1) as [string];
        if (how === "repeat") edited.splice(from, 0, line, line);
        if (how === "move") edited.splice(to, 0, line);
        fc.pre(edited.join() !== lines.join());
        const { valid, tied } = await check(edited, { noTrailer: true });
        expect(valid && tied).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["a property twice", (line: string) => line.replace('"id":', '"id":"x","id":')],
    ["a space", (line: string) => line.replace(",", ", ")],
    ["another order", (line: string) => line.replace(/^\{("datahash":"[^"]*"),(.*?"),"type"/, '{$2,$1,"type"')],
    ["a carriage return", (line: string) => `${line}\r`],
    ["no event", () => '{"a":1}'],
    ["a list", () => "[]"],
    ["too deep a nesting", () => `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ])("with %s in a line is none", async (_what, change) => {
    const lines = (await exported(3)).slice(0, -1);
    const edited = lines.map((line, index) => (index === 1 ? change(line) : line));
    expect(edited).not.toEqual(lines);
    expect(await check(edited, { noTrailer: true })).toMatchObject({ valid: false, fault: { line: 2, sequence: 2 } });
  });
});

describe("the command", () => {
  const [whole] = vectors as [Vector];

  it("prints what it found, and where it ends", () => {
    const { status, stdout } = run(whole.lines);
    expect([status, stdout]).toEqual([0, expect.stringContaining("valid: 5 events, 1 to 5")]);
    const cut = run(whole.lines.slice(0, -1));
    expect([cut.status, cut.stdout]).toEqual([1, expect.stringContaining("NOT VALID: line 5, event 6")]);
    expect(run(whole.lines.slice(0, -1), "--no-trailer").status).toBe(0);
  });

  it("says what nothing vouches for", () => {
    const headless = run(whole.lines.slice(1, -1), "--no-trailer");
    expect([headless.status, headless.stdout]).toEqual([0, expect.stringContaining("It begins behind event 1")]);
    const part = vectors.find(({ name }) => name === "a part from the middle") as Vector;
    expect(run(part.lines).stdout).toContain("nothing here vouches for that");
    const kept = written(
      "kept.json",
      JSON.stringify({ items: part.checkpoints.map((checkpoint) => ({ checkpoint })) }),
    );
    expect(run(part.lines, "--checkpoint", kept).stdout).not.toContain("nothing here vouches for that");
  });

  it("with a key says up to which event a signature reaches, and passes no export without one", () => {
    const key = written("only.pem", publicKey);
    const among = vectors.find(({ name }) => name === "a checkpoint among the events") as Vector;
    const signed = run(among.lines, "--key", key);
    const reported = "signed: to event 2; the 3 behind it are not";
    expect([signed.status, signed.stdout]).toEqual([0, expect.stringContaining(reported)]);
    expect(run(among.lines).stdout).toContain("signed: not checked");
    expect(JSON.parse(run(among.lines, "--json", "--key", key).stdout)).toMatchObject({ valid: true, signedTo: 2 });
    for (const stripped of [whole.lines, withTrailer(whole.lines.slice(0, 3))]) {
      const { status, stdout } = run(stripped, "--key", key);
      expect([status, stdout]).toEqual([1, expect.stringContaining("no checkpoint here is signed by that key")]);
    }
    const none = run(withTrailer([]), "--json", "--key", key);
    expect([none.status, JSON.parse(none.stdout)]).toMatchObject([1, { valid: false, signedTo: null }]);
  });

  it("tells long files' progress on standard error", { timeout: 60_000 }, () => {
    const lines: string[] = [];
    let prevHash = GENESIS_HASH;
    for (let sequence = 1; sequence <= 100_000; sequence++) {
      const draft = event(sequence);
      const eventHash = linkHash(prevHash, sequence, draft.recordHash);
      lines.push(eventText({ ...draft, sequence, prevHash, eventHash }));
      prevHash = eventHash;
    }
    const reported = run(lines, "--no-trailer");
    expect([reported.status, reported.stderr]).toEqual([0, expect.stringMatching(/^100000 events, \d+ %\n$/)]);
    expect(run(lines, "--no-trailer", "--quiet").stderr).toBe("");
  });

  it.each([
    ["no file", []],
    ["a file that is not there", [join(tmpdir(), "no such file")]],
    ["an unknown option", ["--nonsense", "x"]],
    ["two files", ["a", "b"]],
    ["a key that is none", ["--key", command, command]],
  ])("ends with 2 given %s", (_what, args) => {
    const { status, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: "utf8" });
    expect([status, stderr.length > 0]).toEqual([2, true]);
  });

  it("reads standard input, and explains itself", () => {
    const input = bytesOf(whole.lines);
    expect(spawnSync(process.execPath, [command, "-"], { input }).status).toBe(0);
    const help = spawnSync(process.execPath, [command, "--help"], { encoding: "utf8" });
    expect([help.status, help.stdout]).toEqual([0, expect.stringContaining("Exit code")]);
  });

  it("needs nothing but Node", () => {
    const imported = [...readFileSync(command, "utf8").matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([]);
    expect(imported.length).toBeGreaterThan(3);
  });
});

it("reads checkpoints as they come: one, a list, lines, or a page of the API", () => {
  const one = { format: "reeve-checkpoint/1", chainid: "t", toSeq: 1, headHash: "a" };
  const two = { ...one, toSeq: 2 };
  expect(checkpointsIn(JSON.stringify(one))).toEqual([one]);
  expect(checkpointsIn(JSON.stringify([one, two]))).toEqual([one, two]);
  expect(checkpointsIn(`${JSON.stringify(one)}\n${JSON.stringify(two)}\n`)).toEqual([one, two]);
  expect(checkpointsIn(JSON.stringify({ items: [{ id: "x", checkpoint: one }] }))).toEqual([one]);
});

it.each([["{}"], ['{"format":"reeve-checkpoint/1","chainid":"t","headHash":"a","toSeq":"1"}'], ['"text"'], ["[1]"]])(
  "takes no other thing for a checkpoint: %s",
  (text) => {
    expect(() => checkpointsIn(text)).toThrow("something other than checkpoints");
    expect(run([], "--checkpoint", written("none.json", text)).status).toBe(2);
  },
);

it.each(["", "\n", "[]", '{"items":[]}'])("does not take a file without checkpoints: %j", (text) => {
  expect(() => checkpointsIn(text)).toThrow("no checkpoints");
  expect(run([], "--checkpoint", written("empty.json", text)).status).toBe(2);
});

it("is told that nothing was verified when neither file is there", () => {
  const missing = join(folder, "missing.json");
  const { status, stderr } = spawnSync(process.execPath, [command, "--checkpoint", missing, missing]);
  expect(status).toBe(2);
  expect(String(stderr)).toMatch(/^ENOENT[^\n]*\n$/);
});

describe("an export without events", () => {
  const kept = { format: "reeve-checkpoint/1", chainid: "t", toSeq: 1_000, headHash: "a".repeat(64), at: "then" };
  const lineOf = (checkpoint: object) => JSON.stringify({ checkpoint });
  const ofKind = (checkpoint: object) => check([lineOf(checkpoint)], { noTrailer: true, checkpoints: [kept] as never });
  const trailer = (after: number, headHash = "b".repeat(64)) => {
    const sha256 = createHash("sha256").digest("hex");
    const fields = { events: 0, after, to: after, sha256, headHash, complete: true };
    return JSON.stringify({ trailer: { format: "reeve-events/1", ...fields } });
  };

  it("is compared with what is kept of its place", async () => {
    expect(await ofKind({ ...kept, headHash: "b".repeat(64) })).toMatchObject({
      valid: false,
      fault: { reason: expect.stringContaining("knows another event 1000") },
    });
    expect(await ofKind(kept)).toMatchObject({ valid: true, tied: true });
    const alone = await check([lineOf(kept)], { noTrailer: true });
    expect(alone, "it agrees with itself").toMatchObject({ valid: true, tied: false, checkpoints: 0 });
  });

  it("does not pass where it contradicts what is kept", async () => {
    const checkpoints = [kept] as never;
    expect((await check([trailer(1_000)], { checkpoints })).valid, "another event").toBe(false);
    expect((await check([trailer(1_000, GENESIS_HASH)], { checkpoints })).valid, "no event is named").toBe(false);
    expect((await check([trailer(999)], { checkpoints })).valid, "the end is missing").toBe(false);
  });

  it("says of a place behind all that is kept that nothing vouches for it", async () => {
    const untied = { valid: true, tied: false, checkpoints: 0 };
    expect(await check([trailer(1_500)], { checkpoints: [kept] as never })).toMatchObject(untied);
    expect(await check([trailer(1_500)])).toMatchObject(untied);
  });

  it("is tied to its place by a checkpoint of the event that it follows", async () => {
    const tenant = createMemoryStore().forTenant("t");
    for (let n = 1; n <= 4; n++) await tenant.append(event(n));
    const [last] = await tenant.scanEvents({ after: 3, size: 1 });
    const texts: string[] = [];
    for await (const line of exportEvents(tenant, { after: 4 })) texts.push(line.slice(0, -1));
    const at = { ...kept, toSeq: 4, headHash: last?.eventHash };
    expect(await check(texts, { checkpoints: [at] as never })).toMatchObject({ valid: true, tied: true, after: 4 });
    const older = { ...kept, toSeq: 2 };
    expect(await check(texts, { checkpoints: [older] as never })).toMatchObject({ valid: true, tied: false });
  });
});

it("an export with events behind its trailer does not claim to reach the end", async () => {
  const tenant = createMemoryStore().forTenant("t");
  for (let n = 1; n <= 4; n++) await tenant.append(event(n));
  const texts: string[] = [];
  for await (const line of exportEvents(tenant, { limit: 3 })) texts.push(line.slice(0, -1));
  for await (const line of exportEvents(tenant, { after: 3 })) texts.push(line.slice(0, -1));
  const cut = texts.slice(0, -1).map((line) => line.replace('"complete":false', '"complete":true'));
  expect(await check(cut, { noTrailer: true })).toMatchObject({ valid: true, events: 4, complete: null });
});
