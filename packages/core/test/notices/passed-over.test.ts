import type { World } from "@reeve/testkit";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { headOf } from "#families/activity/index.js";
import { assets } from "#families/estate/index.js";
import { concernsNobody } from "#families/notices/personal-notices/follow/concerns-nobody.js";
import { settleMatters } from "#families/notices/personal-notices/follow/settle-matters.js";
import { mattersOf } from "#families/notices/personal-notices/matters/sources.js";
import { platformGates } from "#families/platform/index.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { everyRow } from "#kernel/operation/every-page.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { processContext, processFacts } from "#kernel/operation/system-context.js";
import type { ImportItem } from "../../src/index.js";
import { environmentOf } from "../helpers/environment.js";
import { createWorld } from "../helpers/world.js";

let world: World;
let newContext: () => Promise<OutsideContext>;
beforeAll(async () => {
  world = await createWorld({ notices: true, tokenLifetime: 86_400 });
  const env = environmentOf(world);
  const { tenantId } = world.a;
  newContext = async () => {
    const tenant = await env.use(platformGates).tenant(tenantId);
    return processContext(env, systemPrincipal(tenantId), processFacts(env, "notices", { tenant }));
  };
  await world.controlPlane.tick();
});

/** Whose an asset is: a user by id or address, somebody who is not known here, a machine, or nobody. */
const owner = fc.constantFrom("user", "address", "stranger", "service", "nobody");
const item = fc.record({
  owner,
  status: fc.constantFrom("discovered", "registered", "development", undefined),
  source: fc.constantFrom("discovery", "manual", undefined),
  assetType: fc.constantFrom("dataset", "tool", "mcp_server", "agent"),
  /** It names a state as if it were that of the asset. */
  says: fc.constantFrom("discovered", "nothing"),
  steps: fc.subarray(["suspend", "review", "register", "hand over"]),
});
type Item = typeof item extends fc.Arbitrary<infer T> ? T : never;

function ownerOf(kind: Item["owner"]): ImportItem["owner"] {
  const { userId, username } = world.a.actors.auditor;
  if (kind === "user") return { type: "user", id: userId, name: "x" };
  if (kind === "address") return { type: "external", id: username, name: "x" };
  if (kind === "service") return { type: "service", id: "cmdb", name: "x" };
  return kind === "stranger" ? { type: "external", id: "nobody@reeve.example", name: "x" } : undefined;
}

async function imported(items: readonly Item[]): Promise<readonly string[]> {
  const principal = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
  const ids: string[] = [];
  const given = items.map(({ steps: _later, owner: whoever, says, status, source, ...one }) => {
    const whose = ownerOf(whoever);
    const name = world.a.unique();
    return {
      ...{ ...one, name, externalRef: { id: name }, metadata: { status: says } },
      ...(whose ? { owner: whose } : {}),
      ...(status ? { status } : {}),
      ...(source ? { source } : {}),
    };
  });
  await world.controlPlane.importAssets(principal, given as ImportItem[], {
    onOutcome: ({ value }) => void ids.push(value?.id ?? ""),
  });
  return ids;
}

const STEPS: Readonly<Record<string, (id: string) => [string, string, object]>> = {
  suspend: (id) => ["PATCH", `/ai-assets/${id}/governance-state`, { status: "suspended" }],
  review: (id) => ["PATCH", `/ai-assets/${id}/governance-state`, { status: "under_review" }],
  register: (id) => ["PATCH", `/ai-assets/${id}/lifecycle`, { status: "registered" }],
  "hand over": (id) => ["PUT", `/ai-assets/${id}`, { owner: ownerOf("user") }],
};

/** Steps that the state of an asset forbids change nothing. */
async function take(step: string, id: string): Promise<void> {
  const [method, path, body] = (STEPS[step] as (typeof STEPS)[string])(id);
  const reason = "because a test wants it so";
  const { owner: actor } = world.a;
  await world.send(method, `/api/v1${path}`, {
    token: actor.token,
    headers: { "if-match": "*" },
    body: { ...body, ...(method === "PATCH" ? { reason } : {}) },
  });
}

/** The events of new assets that are passed over, as the ids of these assets. */
async function passedOver(after: number): Promise<readonly string[]> {
  const { db } = await newContext();
  const events = await db.scanEvents({ after, size: 1_000 });
  return events.flatMap(({ attributes, data }) => {
    const { subject, type } = JSON.parse(attributes);
    const isPassed = concernsNobody(type.slice("reeve.".length, -".v1".length), data);
    return isPassed && type === "reeve.asset.created.v1" ? [subject] : [];
  });
}

it("leaves nothing to tell, whatever is passed over", async () => {
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 8 }), async (items) => {
      const before = await headOf((await newContext()).db);
      const ids = await imported(items);
      const over = await passedOver(before);
      passed += over.length;
      const found = await mattersOf(await newContext(), over);
      expect(found.matters.filter(({ assetId }) => over.includes(assetId ?? ""))).toEqual([]);
      for (const [at, { steps }] of items.entries()) for (const step of steps) await take(step, ids[at] ?? "");
      await world.controlPlane.tick();
      const all = await everyRow((await newContext()).db, assets, {});
      expect(
        await settleMatters(
          await newContext(),
          all.map(({ id }) => id),
        ),
      ).toBe(0);
    }),
    { numRuns: 30 },
  );
  expect(passed).toBeGreaterThan(10);
});
