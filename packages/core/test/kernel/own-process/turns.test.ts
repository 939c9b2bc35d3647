import type { DiscoveredAsset } from "@reeve/core/connectors";
import { createPlane, newActiveInstance, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { storeAt } from "../../helpers/address.js";
import { fillEstate } from "../../helpers/large-estate.js";
import { emptyDatabase } from "../../helpers/stores.js";
import { MOST_TURN, type Turns, turnsOf } from "../../helpers/turns.js";
import { createWorld } from "../../helpers/world.js";

/** How often a kind is tried. A turn is too long when it is so each time: a collection of garbage is no work of a kind. */
const TRIES = 3;

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const send = async (method: string, path: string, body?: unknown, as = world.a.actors.governance_officer) => {
  const answer = await world.send(method, path, { token: as.token, headers: { "if-match": "*" }, body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.json;
};

const P = "action.properties";
/** Each costs as much as one expression may, in another way. */
const DEAR: readonly string[] = [
  `${P}.a.all(x, ${P}.a.all(y, x != y || x == y))`,
  `${P}.a.all(x, ${P}.a.all(y, x.foo == 1 || true))`,
  `${P}.t.all(x, ${P}.t.all(y, x < y || true))`,
  `${P}.t.all(x, ${P}.t.all(y, x.like("%t%t%t%t%x") || true))`,
  `${P}.t.all(x, ${P}.t.all(y, int(x) == 5 || true))`,
  `${P}.a.all(x, ${P}.a.all(y, string(x) != ""))`,
  `${P}.a.all(x, ${P}.a.all(y, semverLt("1.2.3-a.b.c", "1.2.4")))`,
  `${P}.a.all(x, ${P}.a.all(y, timestamp("2026-01-01T00:00:00Z") < timestamp("2026-01-02T00:00:00Z")))`,
];
const large = {
  a: Array.from({ length: 256 }, (_, at) => at),
  t: Array.from({ length: 256 }, (_, at) => `${"t".repeat(100)}${at}`),
};
const small = { a: [1], t: ["t"] };
const question = (name: string) => ({
  subject: { type: "user", id: "u" },
  action: { name, properties: large },
  resource: { type: "thing", id: "x" },
});

/** A runtime policy of rules that cost all that a policy may, on an action of this name. */
function dearPolicy(key: string, name: string) {
  const rules = DEAR.map((source, at) => {
    return { key: `r${at}`, effect: "warn", if: `action.name == "${name}" && ${source}`, message: "{action.name}" };
  });
  const tests = [{ name: "small", input: { action: { name: "other", properties: small } }, expect: "none" }];
  return { key, name: key, rules, tests };
}

async function newDearPolicies(count: number, status: "observe" | "active", name: string): Promise<void> {
  for (let at = 0; at < count; at += 1)
    await world.a.newPolicy("runtime", { ...dearPolicy(`${name}-${at}`, name), status });
}

/** Something that a tenant, an anonymous peer or a connected system can make dear. */
interface Kind {
  /** Runs once before the tries. */
  readonly arrange?: () => Promise<void>;
  readonly work: () => Promise<unknown>;
}

/** In a turn of its own, because several requests that need no disk would share one. */
async function inNextTurn(ask: () => Promise<unknown>): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await ask();
}

let server = "";
let largeEstate: World;

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => at);

const KINDS: Readonly<Record<string, Kind>> = {
  "policies under observation, in one question": {
    arrange: () => newDearPolicies(30, "observe", "observed"),
    work: () => send("POST", "/api/v1/ai/policies/evaluate", question("observed")),
  },
  "policies in force, in one question": {
    arrange: () => newDearPolicies(12, "active", "forced"),
    work: () => send("POST", "/api/v1/ai/policies/evaluate", question("forced")),
  },
  "questions at once": {
    arrange: () => newDearPolicies(6, "active", "batched"),
    work: () =>
      send("POST", "/api/v1/ai/policies/evaluate", {
        ...question("batched"),
        evaluations: rowsOf(20).map((at) => ({ resource: { type: "thing", id: `x${at}` } })),
      }),
  },
  "tests of a policy that is written": {
    work: () => {
      const tests = rowsOf(40).map((at) => ({
        name: `t${at}`,
        input: { action: { name: "dear", properties: { a: large.a.slice(0, 150), t: large.t.slice(0, 20) } } },
        expect: "error",
      }));
      const { rules, ...policy } = dearPolicy("written", "dear");
      return send("POST", "/api/v1/ai-governance/policies/validate", {
        ...policy,
        kind: "runtime",
        rules: rules.slice(0, 2),
        tests,
      });
    },
  },
  "policies that a process meets for the first time": {
    arrange: async () => {
      for (const at of rowsOf(12)) {
        const rules = rowsOf(25).map((rule) => {
          const sum = rowsOf(50).map((part) => `${P}.b${part} == ${rule}`);
          return { key: `r${rule}`, effect: "warn", if: sum.join(" || "), message: "m" };
        });
        const tests = [{ name: "none", input: {}, expect: "error" }];
        await world.a.newPolicy("runtime", { key: `long-${at}`, status: "observe", rules, tests });
      }
    },
    work: async () => {
      const { store, clock, ids } = world;
      const plane = createPlane({ store, clock, ids });
      const { token } = world.a.owner;
      return plane.send("POST", "/api/v1/ai/policies/evaluate", { token, body: question("new") });
    },
  },
  "a description of the interface that is asked for first": {
    work: () => createPlane({ store: world.store, clock: world.clock }).send("GET", "/openapi.json"),
  },
  "an evaluation of assets by dear policies": {
    arrange: async () => {
      const labels = Object.fromEntries(rowsOf(40).map((at) => [`l${at}`, "x".repeat(60)]));
      for (const at of rowsOf(6)) await world.a.newAsset({ name: `asset ${at}`, metadata: { a: large.a }, labels });
      for (const at of rowsOf(12)) {
        const assert = "asset.metadata.a.all(x, asset.metadata.a.all(y, x != y || x == y))";
        const rules = rowsOf(4).map((rule) => ({ key: `r${rule}`, assert, message: "m" }));
        const tests = [{ name: "one", input: { asset: { metadata: { a: [1] } } }, expect: "pass" }];
        await world.a.newPolicy("posture", { key: `dear-${at}`, status: "observe", rules, tests });
      }
    },
    work: async () => {
      await send("POST", "/api/v1/ai-governance/evaluations/run", { mode: "full" });
      await world.controlPlane.tick();
    },
  },
  "bodies of each write that are as large as they may be": {
    work: async () => {
      for (const { method, path, body } of table)
        for (const sent of body ? BODIES : [])
          await inNextTurn(() =>
            world.send(method, path.replaceAll(/\{\w+\}/g, "x"), { token: world.a.owner.token, body: sent }),
          );
    },
  },
  "a connected system that lists long pages": {
    work: async () => {
      const account = world.a.unique();
      world.scripted.listBy(account, ({ cursor }) => {
        const page = Number(cursor ?? 0);
        return page < 2
          ? { items: longPage(page), nextCursor: String(page + 1), complete: false }
          : { items: [], complete: true };
      });
      const id = await newActiveInstance(world.a, { name: account, configuration: { account } });
      await send("POST", `/api/v1/integrations/${id}/imports`, {}, world.a.owner);
      await world.controlPlane.tick();
    },
  },
  "a server of MCP that shows as much as it may": {
    arrange: async () => {
      const inputSchema = {
        type: "object",
        properties: Object.fromEntries(
          rowsOf(25).map((at) => [`p${at}`, { type: "string", description: "d".repeat(100) }]),
        ),
      };
      const tools = rowsOf(400).map((at) => ({
        name: `tool-${at}`,
        description: "Looks at it. ".repeat(100),
        inputSchema,
      }));
      world.mcp.report("https://dear.example/mcp", { tools });
      server = await world.a.newMcpServer({ url: "https://dear.example/mcp" }, world.a.actors.operator);
    },
    work: () => send("POST", `/api/v1/ai/mcp-servers/${server}/scan`, undefined, world.a.owner),
  },
  "lists, searches and reports of a large estate": {
    arrange: async () => {
      largeEstate = await createWorld({ store: storeAt(await emptyDatabase("sqlite")), tokenLifetime: 86_400 });
      const { a } = largeEstate;
      await fillEstate(largeEstate, a.tenantId, await a.newAsset({}), 20_000);
    },
    work: async () => {
      const { send: ask, a } = largeEstate;
      for (const path of READS_OF_MANY)
        await inNextTurn(async () => expect((await ask("GET", path, { token: a.owner.token })).status).toBe(200));
    },
  },
};

const ASSETS = "/api/v1/ai-assets";
const READS_OF_MANY = [
  // A word of every record, of none, of one; letters of every record in an order of none; words in another order.
  ...["number", "numberz", "external-777", "ate sset", "estate number asset of"].map(
    (text) => `${ASSETS}?search=${encodeURIComponent(text)}&size=100`,
  ),
  `${ASSETS}?search=asset&environment=production`,
  `${ASSETS}?page=99&size=100`,
  "/api/v1/ai/compliance/report",
  "/api/v1/ai/compliance/posture",
  "/api/v1/ai/overview",
  "/api/v1/ai-governance/audit/export",
  "/api/v1/ai-governance/audit/verification",
];

/** A page as long as an answer of a system may be. */
const longPage = (page: number): DiscoveredAsset[] =>
  rowsOf(380).map((at) => ({
    externalId: `m-${page}-${at}`,
    assetType: "model",
    name: `Model ${page} ${at}`,
    metadata: Object.fromEntries(rowsOf(100).map((name) => [`k${name}`, "x".repeat(180)])),
    record: { modelId: `m-${page}-${at}` },
  }));

/** Bodies that are as large as they may be, each in another way. */
const BODIES = [
  Object.fromEntries(rowsOf(990).map((at) => [`${"k".repeat(200)}${at}`, at])),
  { items: Array(9_900).fill(1) },
  { rules: Array(3_000).fill({ a: 1, b: 2 }) },
  { name: "n".repeat(60_000), metadata: { a: "\u00e9 ".repeat(30_000) } },
];

describe("no turn of the event loop is long, and others are answered meanwhile", () => {
  it.each(Object.entries(KINDS))("with %s", async (_kind, { arrange, work }) => {
    await arrange?.();
    const other = () => world.send("GET", "/api/v1/ai-assets", { token: world.b.owner.token });
    await other();
    const tries: Turns[] = [];
    do tries.push(await turnsOf(work, other));
    while (tries.length < TRIES && (tries.at(-1) as Turns).longest > MOST_TURN);
    const best = tries.reduce((one, next) => (next.longest < one.longest ? next : one));
    expect(best.longest, JSON.stringify(tries)).toBeLessThan(MOST_TURN);
    // Each turn of the work is followed by one of the others.
    expect(best.answered, JSON.stringify(tries)).toBeGreaterThanOrEqual(Math.floor(best.all / (2 * MOST_TURN)));
  });
});
