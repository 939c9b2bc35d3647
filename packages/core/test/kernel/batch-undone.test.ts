import { expect, it } from "vitest";
import { webhookTenants } from "#families/notices/webhooks/delivery/find-tenants.js";
import type { Context } from "#kernel/operation/context.js";
import { transact } from "#kernel/operation/transact.js";
import { commitBatch } from "#kernel/pipeline/batch/commit.js";
import { TakenKeys, taken } from "#kernel/pipeline/batch/taken-keys.js";
import { doItems } from "#kernel/pipeline/batch/within-request.js";
import { idempotencyKeys } from "#kernel/pipeline/idempotency.js";
import { environmentOf } from "../helpers/environment.js";
import { createWorld } from "../helpers/world.js";

const [SOON, LATER] = ["2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"];
const TENANT = "tnt_of_this_test";
const items = [SOON, LATER].map((input, index) => ({ index, input }));

async function bench() {
  const world = await createWorld();
  const owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
  const facts = { requestId: "req_1", nowMs: world.clock.now(), mountPath: "" };
  const dues = async () => {
    const all = await world.store.dues.find("9999-01-01T00:00:00.000Z", 100);
    return all.flatMap(({ tenantId, at }) => (tenantId === TENANT ? [at] : []));
  };
  const env = environmentOf(world);
  // Of a tenant that was not asked yet, each event would start a look for its webhooks.
  await env.use(webhookTenants).hasAny(TENANT);
  return { actor: { env, principal: { ...owner, tenantId: TENANT }, facts }, dues };
}

/** Work that stores what is due at a time, and fails with this after the first. Notes what each finds written. */
function failingWith(failure: Error, written: boolean[] = []) {
  const one = async (ctx: Context, expiresAt: string) => {
    written.push(ctx.hasWritten(idempotencyKeys));
    const answer = { fingerprint: "f", status: 200, body: "{}", headers: {} };
    await ctx.insert(idempotencyKeys, { id: expiresAt, expiresAt, ...answer });
    if (expiresAt === SOON) throw failure;
  };
  return { open: async () => ({ one }) };
}

it("an input of a batch that is undone does not hide when another is due", async () => {
  const { actor, dues } = await bench();
  const { outcomes } = await commitBatch(actor, failingWith(new TypeError("late")), items);
  expect(outcomes.map(({ error }) => error?.code)).toEqual(["internal", undefined]);
  expect(await dues()).toEqual([LATER]);
});

it("inputs that begin again without it in the same transaction tell when they are due", async () => {
  const { actor, dues } = await bench();
  const work = failingWith(new TakenKeys(new Map([[0, taken(idempotencyKeys, "key")]])));
  const outcomes = await transact(actor.env, actor, (ctx) =>
    doItems(ctx, "aiAssets.import", work, { items, refused: [] }, false),
  );
  expect(outcomes.map(({ error }) => error?.code)).toEqual(["already_exists", undefined]);
  expect(await dues()).toEqual([LATER]);
});

it("what an input that is undone has written counts for none behind it", async () => {
  const alone: boolean[] = [];
  await commitBatch((await bench()).actor, failingWith(new TypeError("late"), alone), items);
  expect(alone).toEqual([false, false]);
  const { actor } = await bench();
  const again: boolean[] = [];
  const work = failingWith(new TakenKeys(new Map([[0, taken(idempotencyKeys, "key")]])), again);
  await transact(actor.env, actor, (ctx) => doItems(ctx, "aiAssets.import", work, { items, refused: [] }, false));
  expect(again).toEqual([false, false]);
});
