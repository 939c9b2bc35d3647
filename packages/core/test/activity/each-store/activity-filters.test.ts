import type { Answer, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { systemPrincipal } from "#kernel/config/principal.js";
import type { EventDraft } from "#store/index.js";
import { draftEvent } from "#testing/index.js";
import { createWorld } from "../../helpers/world.js";

const START = Date.parse("2027-01-01T00:00:00.000Z");
const moment = (minutes: number) => new Date(START + minutes * 60_000).toISOString();
const SUBJECT = "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
const EVENTS = 7_000;

let world: World;
let known = 0;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
  const tenant = world.store.forTenant(world.a.tenantId);
  known = (await tenant.events({ size: 1 })).total.count;
  for (let from = 1; from <= EVENTS; from += 1_000) {
    await tenant.append(...Array.from({ length: 1_000 }, (_, index) => numbered(from + index)));
  }
}, 120_000);

/** One event per minute. Its number decides type and subject. */
function numbered(n: number): EventDraft {
  return draftEvent(
    {
      type: n % 1_000 === 0 ? "token.revoked" : "session.ended",
      subject: { id: n % 2 === 0 ? SUBJECT : "ast_other", type: "ai_asset", path: "/" },
      data: { n },
      related: n % 10 === 1 ? [SUBJECT] : [],
      outcome: n % 5 === 0 ? "denied" : "success",
      severity: n % 7 === 0 ? "ERROR" : "INFO",
    },
    {
      id: `evt_7${String(n).padStart(25, "0")}`,
      time: moment(n),
      principal: { ...systemPrincipal(world.a.tenantId), userId: n % 3 === 0 ? "usr_three" : "usr_other" },
      requestId: "req",
      typePrefix: "reeve",
    },
  );
}

const ask = (query: string, scene: Scene = world.a, path = "/api/v1/ai/activity"): Promise<Answer> =>
  world.send("GET", `${path}?${query}`, { token: scene.owner.token });
const numbers = ({ json }: Answer): number[] => json.items.map(({ data }: { data: { n: number } }) => data.n);
const down = (wanted: (n: number) => boolean) =>
  Array.from({ length: EVENTS }, (_, index) => EVENTS - index).filter(wanted);

/** All items of a query, page by page. */
async function walk(query: string, path?: string): Promise<{ found: number[]; pages: number }> {
  const found: number[] = [];
  let cursor = "";
  for (let pages = 1; ; pages++) {
    const answer = await ask(`${query}${cursor}`, world.a, path);
    expect(answer.status).toBe(200);
    found.push(...numbers(answer));
    if (answer.json.nextCursor === null) return { found, pages };
    cursor = `&cursor=${answer.json.nextCursor}`;
    expect(pages).toBeLessThan(200);
  }
}

describe("activity", () => {
  const filters: readonly (readonly [string, (n: number) => boolean])[] = [
    ["type=token.revoked", (n) => n % 1_000 === 0],
    ["type=reeve.token.revoked.v1", (n) => n % 1_000 === 0],
    ["actor=usr_three&outcome=denied&severity=ERROR", (n) => n % 105 === 0],
    [
      "severity=ERROR&type=session.ended&from=2027-01-02T00:00:00Z",
      (n) => n % 7 === 0 && n % 1_000 !== 0 && n >= 1_440,
    ],
    [`from=${moment(100)}&to=${moment(110)}&actor=usr_three`, (n) => n % 3 === 0 && n >= 100 && n < 110],
    [
      "from=2027-01-01T03:00:00%2B02:00&to=2027-01-01T01:30:00Z&outcome=success",
      (n) => n >= 60 && n < 90 && n % 5 !== 0,
    ],
    [`to=${moment(3)}&actor=usr_other&type=session.ended`, (n) => n < 3],
    ["type=audit.pruned", () => false],
  ];

  it.each(filters)("with %s shows those events and no others", async (query, wanted) => {
    expect((await walk(`size=100&${query}`)).found).toEqual(down(wanted));
  });

  it.each(filters)("of a subject with %s shows its own and what belongs to it", async (query, wanted) => {
    const path = `/api/v1/ai/activity/${SUBJECT}`;
    const found = (await walk(`size=100&${query}`, path)).found;
    expect(found).toEqual(down((n) => wanted(n) && (n % 2 === 0 || n % 10 === 1)));
  });

  it("looks through a bounded number of events for one answer, and says where it goes on", async () => {
    const first = await ask("type=token.revoked&size=100");
    expect([numbers(first), first.json.totalRelation]).toEqual([[7_000, 6_000, 5_000, 4_000, 3_000], "atLeast"]);
    const second = await ask(`type=token.revoked&size=100&cursor=${first.json.nextCursor}`);
    expect([numbers(second), second.json.nextCursor]).toEqual([[2_000, 1_000], null]);
    const nothing = await ask("type=audit.pruned");
    expect([nothing.json.items, nothing.json.nextCursor === null]).toEqual([[], false]);
  });

  it("finds the start of a long log by halving, not by walking", async () => {
    const { json } = await ask(`from=${moment(10)}&to=${moment(20)}`);
    expect([json.items.length, json.totalItems, json.totalRelation, json.nextCursor]).toEqual([10, 10, "exact", null]);
  });

  it("has the same pages by number as by cursor", async () => {
    const query = `from=${moment(6_900)}&actor=usr_three&size=7`;
    const { found } = await walk(query);
    const byPage = [0, 1, 2, 3, 4].map((page) => ask(`${query}&page=${page}`));
    expect((await Promise.all(byPage)).flatMap(numbers)).toEqual(found);
    expect(found).toEqual(down((n) => n >= 6_900 && n % 3 === 0));
  });

  it("keeps a cursor to the filters it was made for", async () => {
    const { json } = await ask("type=token.revoked&size=1");
    expect((await ask(`type=session.ended&size=1&cursor=${json.nextCursor}`)).json.code).toBe("invalid_cursor");
    expect((await ask(`type=token.revoked&size=1&cursor=${json.nextCursor}`, world.b)).json.code).toBe(
      "invalid_cursor",
    );
  });

  it("shows nothing of it to another tenant", async () => {
    expect((await ask("type=token.revoked", world.b)).json.items).toEqual([]);
    expect((await ask("type=token.revoked", world.b, `/api/v1/ai/activity/${SUBJECT}`)).status).toBe(404);
  });

  it("finds an event that bears an earlier time than those before it", async () => {
    const tenant = world.store.forTenant(world.b.tenantId);
    const late = (n: number, minutes: number) => ({ ...numbered(n), ...redated(n, moment(minutes)) });
    await tenant.append(late(1, 100), late(2, 150), late(3, 101), late(4, 160));
    const { json } = await ask(`from=${moment(100)}&to=${moment(110)}`, world.b);
    expect(json.items.map(({ data }: { data: { n: number } }) => data.n)).toEqual([3, 1]);
    expect((await ask("type=session.ended&size=100", world.b)).json.totalItems).toBe(4);
    expect(known).toBeGreaterThan(0);
  });

  it.each(["severity=LOUD", "outcome=unsure", "from=yesterday", "to=2027-02-30", "type=", "actor=", "kind=x"])(
    "refuses %s",
    async (query) => {
      expect((await ask(query)).json.code).toBe("invalid_parameter");
    },
  );
});

function redated(n: number, time: string): EventDraft {
  return draftEvent(
    { type: "session.ended", subject: { id: "ast_other", type: "ai_asset", path: "/" }, data: { n } },
    {
      id: `evt_7${String(n).padStart(25, "0")}`,
      time,
      principal: systemPrincipal(world.b.tenantId),
      requestId: "req",
      typePrefix: "reeve",
    },
  );
}
