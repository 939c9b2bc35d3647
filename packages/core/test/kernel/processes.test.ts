import { type Actor, type Answer, createWorld, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { PLATFORM_TENANT, ulidSource } from "#testing/index.js";
import { verifyChain } from "../../src/index.js";
import { storeAt } from "../helpers/address.js";
import { eventsOf } from "../helpers/facts.js";
import { type Command, Planes, sending, tick } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const ROUNDS = 5;
const REASON = "a reason of more than ten characters";
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

describe.each(["sqlite", "postgres"] as const)("two processes on one %s database", (kind) => {
  let world: World;
  let planes: Planes;
  beforeAll(async () => {
    const address = await emptyDatabase(kind);
    const store = storeAt(address);
    undoLater(() => store.close());
    const config = { tokenLifetime: 86_400 };
    world = await createWorld({ ...config, store, ids: ulidSource() });
    planes = await Planes.start(2, { address, config });
  });

  const as = (actor: Actor, method: string, target: string, body: object, headers = {}): Command =>
    sending(method, target, { token: actor.token, body, headers });
  const decide = (id: string, actor: Actor, status: string, more: object = {}, headers = {}): Command =>
    as(actor, "PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status, reason: REASON, ...more }, headers);
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

  /** A tenant's events after the given number, as `type subject from to`. */
  async function moves(after: number): Promise<string[]> {
    const added = (await eventsOf(world.a)).slice(after).map(({ attributes }) => JSON.parse(attributes));
    return added
      .filter(({ outcome }) => outcome === "success")
      .map(({ type, subject, fromstate, tostate }) => `${type} ${subject} ${fromstate} ${tostate}`);
  }
  const happened = async () => (await eventsOf(world.a)).length;

  /** An asset under review, requested by somebody other than the approvers. */
  async function underReview(): Promise<string> {
    const { a, send } = world;
    const id = await a.newAsset();
    const asked = await send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, {
      token: a.actors.operator.token,
      body: { status: "under_review" },
    });
    expect(asked.status).toBe(200);
    return id;
  }
  const flagged = (id: string) => `reeve.decision.related_party.v1 ${id} undefined undefined`;
  const changed = (id: string, from: string, to: string) =>
    `reeve.asset.governance_state.changed.v1 ${id} ${from} ${to}`;

  it.each(rounds)("let one of two different decisions win (round %i)", async () => {
    const id = await underReview();
    const before = await happened();
    const { approver, admin } = world.a.actors;
    const answers = await planes.race((process) =>
      process === 0
        ? [decide(id, approver, "approved"), decide(id, admin, "approved")]
        : [
            decide(id, admin, "conditionally_approved", CONDITION),
            decide(id, approver, "conditionally_approved", CONDITION),
          ],
    );
    const [winner] = answers.filter(({ status }) => status === 200);
    const won = winner?.json.governanceState;
    // A request for the winning state returns the record as it is, without a second event.
    for (const { status, json } of answers) {
      if (status === 200) expect(json).toEqual(winner?.json);
      else expect(json).toMatchObject({ code: "invalid_transition", status: 409, current: won });
    }
    expect(statuses(answers)).toEqual([200, 200, 409, 409]);
    // The owner has made the accounts of both, so each of them is related to those involved.
    expect(await moves(before)).toEqual([flagged(id), changed(id, "under_review", won)]);
  });

  it.each(rounds)("write an approval and a rejection down in an order that the machine knows (round %i)", async () => {
    const id = await underReview();
    const before = await happened();
    const { approver, admin } = world.a.actors;
    const [approved, rejected] = await planes.race((process) => [
      process === 0 ? decide(id, approver, "approved") : decide(id, admin, "rejected"),
    ]);
    expect(rejected?.status).toBe(200);
    // A rejection may follow an approval, but not the reverse.
    expect(await moves(before)).toEqual(
      approved?.status === 200
        ? [flagged(id), changed(id, "under_review", "approved"), changed(id, "approved", "rejected")]
        : [changed(id, "under_review", "rejected")],
    );
    if (approved?.status !== 200) expect(approved?.json).toMatchObject({ status: 409, current: "rejected" });
  });

  it.each(rounds)("let one of two changes of the same version through (round %i)", async () => {
    const { a, send } = world;
    const [id, user] = [await a.newAsset(), await a.newUser(["member"])];
    const sole = { "if-match": '"1"' };
    for (const [target, field] of [
      [`/api/v1/ai-assets/${id}/metadata`, "metadata"],
      [`/api/v1/users/${user.userId}`, "metadata"],
    ] as const) {
      const before = await happened();
      const answers = await planes.race((process) => [
        as(a.owner, "PATCH", target, { [field]: { by: process, first: true } }, sole),
        as(a.owner, "PATCH", target, { [field]: { by: process, first: false } }, sole),
      ]);
      expect(statuses(answers)).toEqual([200, 412, 412, 412]);
      expect(await moves(before)).toHaveLength(1);
      const record = target.replace(/\/metadata$/, "");
      const winner = answers.find(({ status }) => status === 200);
      expect((await send("GET", record, { token: a.owner.token })).json).toEqual(winner?.json);
    }
  });

  it.each(rounds)("do what one Idempotency-Key asks for once (round %i)", async (round) => {
    const before = await happened();
    const body = { name: `asked for once ${round}` };
    const create = as(world.a.owner, "POST", "/api/v1/ai-assets", body, { "idempotency-key": `key-${round}` });
    const answers = await planes.all(create, create, create);
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter(({ headers }) => !headers["idempotent-replayed"])).toHaveLength(1);
    for (const { json } of answers.filter(({ status }) => status !== 201))
      expect(json.code).toBe("idempotency_in_progress");
    expect(await moves(before)).toHaveLength(1);
    const again = await planes.all(create);
    expect(again.map(({ text }) => text)).toEqual([done[0]?.text, done[0]?.text]);
  });

  it.each(rounds)("give a user name and a subdomain away once (round %i)", async (round) => {
    const register = (username: string, subdomain: string) =>
      sending("POST", "/api/v1/register", {
        body: { organization: "Racing Ltd", username: `${username}@racing.example`, subdomain, password: PASSWORD },
      });
    const bySubdomain = await planes.race((process) =>
      [0, 1].map((n) => register(`r${round}-${process}-${n}`, `racing-${round}`)),
    );
    expect(statuses(bySubdomain)).toEqual([201, 409, 409, 409]);
    const create = (username: string) =>
      sending("POST", "/api/v1/users", {
        token: world.a.owner.token,
        body: { username: `${username}@racing.example`, password: PASSWORD },
      });
    const byName = await planes.race((process) =>
      [0, 1].map(() => create(process ? `Same-${round}` : `same-${round}`)),
    );
    expect(statuses(byName)).toEqual([201, 409, 409, 409]);
    for (const { status, json } of [...bySubdomain, ...byName])
      if (status === 409) expect(json.code).toBe("already_exists");
  });

  it.each(rounds)("count attempts at one password together (round %i)", async (round) => {
    const username = round === 0 ? "nobody@example.test" : (await world.a.newUser(["member"])).username;
    const before = (await eventsOf(world.a)).length;
    const attempts = (process: number) =>
      Array.from({ length: 9 }, (_, n) =>
        sending("POST", "/api/v1/auth/signin", { body: { username, password: `wrong password ${process} ${n}` } }),
      );
    const answers = await planes.race(attempts);
    expect(statuses(answers)).toEqual([...Array(10).fill(401), ...Array(8).fill(429)]);
    // Failures of a user are recorded after the answers, five of them whichever process saw them.
    await vi.waitFor(async () => expect((await eventsOf(world.a)).length - before).toBe(round === 0 ? 0 : 5));
  });

  it.each(rounds)("hand over every event, at most once per process (round %i)", async () => {
    const before = (await eventsOf(world.a)).length;
    const from = planes.delivered.length;
    await planes.all(...assets(8), tick, tick);
    await planes.all(tick);
    const made = (await eventsOf(world.a)).slice(before).map(({ id }) => id);
    const given = await vi.waitFor(() => {
      const reported = planes.delivered.slice(from);
      expect(made.filter((id) => !reported.includes(id))).toEqual([]);
      return reported;
    });
    expect(made).toHaveLength(16);
    const often = made.filter((id) => given.filter((one) => one === id).length > 2);
    expect(often).toEqual([]);
  });
  const assets = (count: number) =>
    Array.from({ length: count }, (_, n) => as(world.a.owner, "POST", "/api/v1/ai-assets", { name: `asset ${n}` }));

  it.each(rounds)("write an expiry down once (round %i)", async (round) => {
    const { clock, send } = world;
    const approvedUntil = new Date(clock.now() + 60_000).toISOString();
    const ids = await Promise.all(Array.from({ length: 4 }, underReview));
    for (const id of ids) {
      const body = { status: "approved", configuration: { approvedUntil } };
      const token = world.a.actors.approver.token;
      expect((await send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { token, body })).status).toBe(200);
    }
    const before = await happened();
    clock.advance(60_001);
    planes.now = new Date(clock.now()).toISOString();
    // In the last round a write happens in between, and also finds the expiry due.
    const rename = (id: string) => as(world.a.owner, "PUT", `/api/v1/ai-assets/${id}`, { description: "later" });
    await planes.all(tick, ...(round === ROUNDS - 1 ? ids.map(rename) : []), tick);
    const expired = (await moves(before)).filter((move) => move.endsWith("approved expired"));
    expect(expired.sort()).toEqual(ids.map((id) => changed(id, "approved", "expired")).sort());
  });

  it("leave one chain behind that verifies", async () => {
    for (const tenantId of [world.a.tenantId, PLATFORM_TENANT]) {
      const found = await verifyChain(world.store.forTenant(tenantId));
      expect(found).toMatchObject({ valid: true, complete: true });
    }
  });
});

const PASSWORD = "seven green lanterns at dusk";
const CONDITION = { configuration: { conditions: [{ key: "logging", text: "Log every call." }] } };
