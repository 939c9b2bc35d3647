import { foldUsername, users } from "#families/identity/index.js";
import { invalidProperty, notFound, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { moveBody } from "#kernel/records/open-body.js";
import { EndTime } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { delegationStatus } from "./machine.js";
import { MOST_OF_PERSON, MOST_OF_TENANT } from "./queries.js";
import { Delegation, delegations } from "./schema.js";

const PATH = "/api/v1/me/delegations";
const shared = { tag: "Notices", access: "signed-in", extension: true } as const;
/** The longest time that somebody can be away. */
const LONGEST = daysMs(366);

// Who asks says whose delegations these are, and no filter does.
const { party: _party, ...ownFilters } = delegations.filters;

export const listDelegations = defineOperation({
  ...shared,
  id: "delegations.list",
  method: "GET",
  path: PATH,
  summary: "List who stands in for one, and for whom one stands in",
  query: listQuery({ ...delegations, filters: ownFilters }),
  success: { status: 200, schema: pageOf(Delegation) },
  handler: (ctx, { query }) => ctx.page(delegations, query, { where: { parties: ctx.principal.userId } }),
});

export const readDelegation = defineOperation({
  ...shared,
  id: "delegations.read",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Read one delegation of one's own",
  params: ById,
  success: { status: 200, schema: Delegation },
  handler: async (ctx, { params }) => own(ctx, await ctx.getOrThrow(delegations, params.id)),
});

const Given = z
  .strictObject({
    toId: z.string().min(1).max(200).optional().meta({ description: "Id of an active user who stands in." }),
    toUsername: z
      .string()
      .min(1)
      .max(254)
      .optional()
      .meta({ description: "The e-mail address of that user, in place of the id.", example: "grace@acme.example" }),
    endsAt: EndTime.meta({ description: "When it ends by itself, within a year." }),
    reason: GenericBody.shape.reason,
  })
  .refine(
    ({ toId, toUsername }) => (toId === undefined) !== (toUsername === undefined),
    "Exactly one of `toId` and `toUsername`.",
  )
  .meta({ id: "DelegationRequest", example: { toId: "usr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", endsAt: "2030-08-31" } });

export const createDelegation = defineOperation({
  ...shared,
  id: "delegations.create",
  method: "POST",
  path: PATH,
  summary: "Have somebody stand in for one while one is away",
  description:
    "The other person is told of what waits for one, as far as that person may decide it too, and one gets no mail of it. No permission is given.",
  body: Given,
  success: { status: 201, schema: Delegation },
  errors: ["invalid_reference", "limit_exceeded", "invalid_parameter"],
  async handler(ctx, { body }) {
    const { endsAt } = body;
    const { userId, kind } = ctx.principal;
    if (kind !== "user") throw new ReeveError("permission_denied", "Only people are away.");
    if (endsAt <= ctx.now || endsAt > timestamp(ctx.request.nowMs + LONGEST))
      throw invalidProperty("/endsAt", "It ends later than now, and within a year.");
    const toId = await standInOf(ctx, body);
    await requireRoom(ctx, userId);
    return ctx.insert(delegations, { fromId: userId, toId, endsAt, status: "active" });
  },
});

export const endDelegation = defineOperation({
  ...shared,
  id: "delegations.end",
  method: "POST",
  path: `${PATH}/{id}/end`,
  summary: "End a delegation of one's own before its time",
  params: ById,
  body: moveBody({ id: "DelegationEnding", to: "ended", example: { reason: "Back already." } }),
  success: { status: 200, schema: Delegation },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    const delegation = own(ctx, await ctx.getForUpdate(delegations, params.id));
    if (delegation.status === "ended") return delegation;
    return ctx.transition(delegations, delegationStatus, delegation, { event: "end" }, { reason });
  },
});

/** The id of who is to stand in. 400 for who is no other active user of the tenant, in the same words for each cause. */
async function standInOf(
  { db, principal }: ReadContext,
  { toId, toUsername }: z.output<typeof Given>,
): Promise<string> {
  const row =
    toUsername === undefined
      ? await db.get(users, toId ?? "")
      : await db.lookup(users, "username", { username: foldUsername(toUsername) });
  if (row?.value.status === "active" && row.id !== principal.userId) return row.id;
  const [pointer, key] = toUsername === undefined ? ["/toId", "id"] : ["/toUsername", "address"];
  throw invalidProperty(pointer, `There is no other active user of this ${key}.`, "invalid_reference");
}

/** 404 for a delegation between others. */
function own(ctx: ReadContext, delegation: Delegation): Delegation {
  const { userId } = ctx.principal;
  if (delegation.fromId !== userId && delegation.toId !== userId) throw notFound();
  return delegation;
}

async function requireRoom(ctx: Context, userId: string): Promise<void> {
  const { rows } = await ctx.db.find(delegations, { where: { status: "active" }, size: MOST_OF_TENANT });
  const mine = rows.filter(({ value }) => value.fromId === userId && value.endsAt > ctx.now);
  if (rows.length >= MOST_OF_TENANT || mine.length >= MOST_OF_PERSON)
    throw new ReeveError("limit_exceeded", `At most ${MOST_OF_PERSON} people stand in for one.`);
}
