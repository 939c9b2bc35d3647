import { generateKeyPairSync } from "node:crypto";
import type { Scene } from "@reeve/testkit";
import { program, TimeStampingAuthority } from "@reeve/testkit/programs";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { canonical } from "#kernel/events/canonical.js";
import { hoursMs, minutesMs } from "#ports/durations.js";
import type { Checkpoint } from "../../../src/index.js";
import { undoLater } from "../../helpers/undo.js";
import { verifySlice } from "../../helpers/verify-command.js";
import { createWorld } from "../../helpers/world.js";

const openssl = program("openssl", "openssl");
const { privateKey, publicKey: key } = generateKeyPairSync("ed25519");

interface Listed {
  readonly checkpoint: Checkpoint;
  readonly status: string;
  readonly timeStamp: { readonly token: string; readonly time: string; readonly policy: string } | null;
  readonly stampAttempts: number;
  readonly nextStampAt: string;
}

describe.skipIf(!openssl.path)(`time stamps of checkpoints${openssl.note}`, () => {
  let authority: TimeStampingAuthority;
  beforeAll(async () => {
    authority = await TimeStampingAuthority.start();
    undoLater(() => authority.stop());
  });
  const honest = (query: Buffer) => ({ body: authority.reply(query) });
  beforeEach(async () => {
    // A test that failed may have left it away.
    await authority.pause();
    await authority.listen();
    authority.answer = honest;
    authority.queries.length = 0;
  });

  /** A world whose checkpoints are stamped, with what its log said. */
  async function stamped(more: Parameters<typeof createWorld>[0] = {}) {
    const warnings: { readonly failure?: string }[] = [];
    const kept: Checkpoint[] = [];
    const world = await createWorld({
      tokenLifetime: 86_400,
      checkpointKey: privateKey,
      timestampUrl: authority.url,
      egressAllow: ["127.0.0.1"],
      anchor: (checkpoint) => void kept.push(checkpoint),
      logger: { info() {}, error() {}, warn: (fields: object) => warnings.push(fields) },
      ...more,
    });
    const tick = async (ms = 0) => {
      world.clock.advance(ms);
      expect(await world.controlPlane.tick()).toMatchObject({ failed: 0 });
    };
    const failures = () => warnings.flatMap(({ failure }) => failure ?? []);
    return { ...world, tick, failures, kept };
  }

  async function tokenOf(scene: Scene): Promise<string> {
    return (await scene.signIn(scene.owner.userId, scene.owner)).token;
  }

  async function listed(scene: Scene): Promise<Listed[]> {
    const token = await tokenOf(scene);
    return (await scene.send("GET", "/api/v1/ai-governance/audit/checkpoints?size=100", { token })).json.items;
  }

  async function newest(scene: Scene): Promise<Listed> {
    return (await listed(scene))[0] as Listed;
  }

  const isVerified = ({ checkpoint, timeStamp }: Listed) =>
    authority.verifies(Buffer.from(timeStamp?.token ?? "", "base64"), canonical(checkpoint));

  it("are had for each tenant's own checkpoint, and OpenSSL verifies them", async () => {
    const world = await stamped();
    await world.tick();
    const [ours, theirs] = [await newest(world.a), await newest(world.b)];
    expect(ours.timeStamp).toEqual({
      token: expect.stringMatching(/^[\w+/]+=*$/),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      policy: TimeStampingAuthority.policy,
    });
    expect([isVerified(ours), isVerified(theirs)]).toEqual([true, true]);
    expect(isVerified({ ...ours, timeStamp: theirs.timeStamp }), "of another tenant").toBe(false);
    expect(isVerified({ ...ours, checkpoint: { ...ours.checkpoint, toSeq: 1 } }), "of another checkpoint").toBe(false);
    expect(new Set(authority.queries.map(({ contentType }) => contentType))).toEqual(
      new Set(["application/timestamp-query"]),
    );
    const asked = authority.queries.length;
    await world.tick();
    expect(authority.queries, "a checkpoint is stamped once").toHaveLength(asked);
    const text = JSON.stringify(authority.queries.map(({ body }) => body.toString("latin1")));
    for (const secret of [world.a.tenantId, ours.checkpoint.headHash]) expect(text).not.toContain(secret);
  });

  it("stand in the first line of a slice, and its verifier says whose checkpoint it is", async () => {
    const world = await stamped();
    await world.tick();
    const { timeStamp } = await newest(world.a);
    const token = await tokenOf(world.a);
    const { text } = await world.send("GET", "/api/v1/ai-governance/audit/slice", { token });
    expect(JSON.parse(text.slice(0, text.indexOf("\n"))).slice.timeStamp).toBe(timeStamp?.token);
    expect(verifySlice(text, { key })).toMatchObject({
      valid: true,
      timeStamp: { time: timeStamp?.time, policy: TimeStampingAuthority.policy },
    });
  });

  it("are only asked for of the newest checkpoint, which vouches for those before it", async () => {
    const world = await stamped();
    await authority.pause();
    await world.tick();
    await world.a.newAsset();
    await world.tick(hoursMs(25));
    await authority.listen();
    await world.tick(hoursMs(13));
    const [last, first] = await listed(world.a);
    expect([first?.timeStamp, last && isVerified(last)]).toEqual([null, true]);
  });

  it("need no key and no anchor", async () => {
    const world = await stamped({ checkpointKey: undefined, anchor: undefined });
    await world.tick();
    const one = await newest(world.a);
    expect(one.checkpoint).not.toHaveProperty("signature");
    expect(isVerified(one)).toBe(true);
  });

  const other = "ab".repeat(32);
  const digestIn = (query: Buffer) => {
    const at = query.indexOf(Buffer.from("0420", "hex"));
    return query.subarray(at + 2, at + 34).toString("hex");
  };
  it.each<[string, (query: Buffer) => { status?: number; body: Uint8Array | string }, RegExp]>([
    ["refuses", (query) => ({ body: authority.refusal(query) }), /it refuses, with the status 2 and the reason 0/],
    [
      "stamps something else",
      () => ({ body: authority.reply(authority.query(other, "-cert")) }),
      /its time stamp is of something else/,
    ],
    [
      "answers with an old one",
      (query) => ({ body: authority.reply(authority.query(digestIn(query), "-cert")) }),
      /its time stamp has another nonce/,
    ],
    [
      "leaves out the nonce",
      (query) => ({ body: authority.reply(authority.query(digestIn(query), "-cert", "-no_nonce")) }),
      /its time stamp has another nonce/,
    ],
    [
      "changes the signature",
      (query) => {
        const body = authority.reply(query);
        body[body.length - 5] = (body[body.length - 5] as number) ^ 1;
        return { body };
      },
      /its time stamp is not signed by the certificate in it/,
    ],
    ["adds something", (query) => ({ body: Buffer.concat([authority.reply(query), Buffer.of(0)]) }), /it is not DER/],
    ["answers with a page", () => ({ body: "<!doctype html><p>Sign in</p>" }), /it is not DER|no answer of RFC 3161/],
    ["answers with nothing", () => ({ body: "" }), /it is not DER|no answer of RFC 3161/],
    ["answers with another document", () => ({ body: Buffer.from("3003020100", "hex") }), /no answer|no time stamp/],
    ["is overloaded", () => ({ status: 503, body: "" }), /the authority answers with 503/],
    ["says far too much", () => ({ body: Buffer.alloc(70_000, 48) }), /./],
  ])("are not stored of an authority that %s, and are had once it does right", async (_, answer, reason) => {
    const world = await stamped();
    authority.answer = answer;
    await world.tick();
    const [before, theirs] = [await newest(world.a), await newest(world.b)];
    expect([before.timeStamp, theirs.timeStamp]).toEqual([null, null]);
    expect(before.status, "no checkpoint waits for it").toBe("anchored");
    expect(world.failures()[0]).toMatch(reason);
    authority.answer = honest;
    await world.tick(minutesMs(2));
    expect([isVerified(await newest(world.a)), isVerified(await newest(world.b))]).toEqual([true, true]);
  });

  it("of an authority that is away are asked for later each time, and hold up nothing", async () => {
    const world = await stamped();
    await authority.pause();
    const waits = new Map<Scene, number>();
    const pauses = [0, 1, 2, 5, 18, 69];
    for (const pause of pauses) {
      await world.tick(minutesMs(pause));
      for (const scene of [world.a, world.b]) {
        const wait = Date.parse((await newest(scene)).nextStampAt) - world.clock.now();
        // Only one tenant may have asked in this tick, and not each time one of these.
        if (wait <= 0) continue;
        expect(wait).toBeGreaterThan(waits.get(scene) ?? 0);
        waits.set(scene, wait);
      }
    }
    expect(world.failures().length, "somebody asks in each tick").toBeGreaterThanOrEqual(pauses.length);
    expect(new Set(world.kept.map(({ chainid }) => chainid))).toContain(world.b.tenantId);
    expect(world.failures().join()).not.toContain(String(authority.port));
    await authority.listen();
    await world.tick(hoursMs(13));
    expect([isVerified(await newest(world.a)), isVerified(await newest(world.b))]).toEqual([true, true]);
  });

  it("of one that is away are asked for once in a tick, however many tenants there are", async () => {
    const world = await stamped({ tickConcurrency: 1 });
    authority.answer = () => ({ status: 503, body: "" });
    await world.tick();
    expect(authority.queries).toHaveLength(1);
    expect([await newest(world.a), await newest(world.b)].map(({ timeStamp }) => timeStamp)).toEqual([null, null]);
  });

  it("are had of one that signs by RSA", async () => {
    const another = await TimeStampingAuthority.start("rsa:2048");
    undoLater(() => another.stop());
    const world = await stamped({ timestampUrl: another.url });
    await world.tick();
    const { checkpoint, timeStamp } = await newest(world.a);
    expect(world.failures()).toEqual([]);
    expect(another.verifies(Buffer.from(timeStamp?.token ?? "", "base64"), canonical(checkpoint))).toBe(true);
  });

  it("are not asked for where the address is not allowed, and the log says so", async () => {
    const world = await stamped({ egressAllow: [] });
    await world.tick();
    expect(authority.queries).toEqual([]);
    expect((await newest(world.a)).timeStamp).toBeNull();
    // Tenants whose jobs run at the same time may fail together.
    expect(world.failures().length).toBeGreaterThan(0);
  });
});
