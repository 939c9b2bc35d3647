import { ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { isIdOf } from "#store/collection.js";
import { roles } from "../../roles/rules.js";
import { renewCredential } from "../../users/passwords/credentials.js";
import { checkGrant } from "../../users/rules.js";
import { type User, users } from "../../users/schema.js";
import { recordChange } from "../manage/enrol.js";
import { dropFactors } from "../queries.js";
import { factorResetStatus } from "./machine.js";
import { resetNotices } from "./notify-person.js";
import { FactorReset, factorResets } from "./schema.js";

const PATH = "/api/v1/second-factor-resets";
const write = { permission: "user:write", capability: "identity_foundation" } as const;
const read = { permission: "user:read", capability: "identity_foundation" } as const;
const shared = { tag: "Users", path: PATH, collection: factorResets, schema: FactorReset, extension: true } as const;

export const listFactorResets = listOperation({
  ...shared,
  id: "secondFactorResets.list",
  summary: "List requests to remove second factors",
  access: read,
});

export const readFactorReset = readOperation({
  ...shared,
  id: "secondFactorResets.read",
  summary: "Read one request to remove second factors",
  access: read,
});

const { reason } = GenericBody.shape;

export const requestFactorReset = defineOperation({
  id: "secondFactorResets.create",
  method: "POST",
  path: PATH,
  tag: shared.tag,
  extension: true,
  summary: "Ask for the second factors of somebody who has lost them to be removed",
  description: "Nothing is removed before a four-eyes approver approves it.",
  access: write,
  body: z.strictObject({ userId: z.string().max(64).meta({ description: "Id of the user." }), reason }).meta({
    id: "SecondFactorResetRequest",
    example: { userId: "usr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", reason: "Ada has lost her phone; seen in person." },
  }),
  success: { status: 201, schema: FactorReset },
  errors: ["missing_reason", "invalid_reference"],
  async handler(ctx, { body }) {
    const said = requireReason(body.reason);
    const user = isIdOf(users, body.userId) ? (await ctx.db.get(users, body.userId))?.value : undefined;
    if (!user)
      throw new ReeveError("invalid_reference", undefined, {
        errors: [{ pointer: "/userId", code: "invalid_reference", message: "Not the id of a user of this tenant." }],
      });
    checkGrant(ctx.env.use(roles), ctx.principal, user.roles, []);
    return ctx.insert(factorResets, {
      name: `Second factors of ${user.name}`,
      status: "requested",
      metadata: {},
      userId: user.id,
      reason: said,
      requestedBy: ctx.principal.userId,
      decidedBy: null,
      decidedAt: null,
      removed: 0,
      mail: "none",
      relatedParty: false,
    });
  },
});

export const decideFactorReset = defineOperation({
  id: "secondFactorResets.decide",
  method: "POST",
  path: `${PATH}/{id}/decision`,
  tag: shared.tag,
  extension: true,
  summary: "Approve or decline that second factors of somebody are removed",
  description:
    "Approved, it removes all of them and ends every sign-in of the person, who is told by mail where the service can send it. Neither who asked nor the person approves it.",
  access: write,
  params: ById,
  body: z
    .strictObject({ decision: z.enum(["approve", "decline"]).meta({ description: "What is decided." }), reason })
    .meta({ id: "SecondFactorResetDecision", example: { decision: "decline", reason: "She has found her phone." } }),
  success: { status: 200, schema: FactorReset },
  errors: ["invalid_transition", "transition_guard_failed", "self_approval_forbidden", "not_found"],
  async handler(ctx, { params, body: { decision, reason: said } }) {
    const reset = await ctx.getForUpdate(factorResets, params.id);
    const decided = { decidedBy: ctx.principal.userId, decidedAt: ctx.now };
    if (decision === "decline")
      return ctx.transition(
        factorResets,
        factorResetStatus,
        reset,
        { event: "decline" },
        { reason: said, patch: decided },
      );
    const user = await ctx.getOrThrow(users, reset.userId);
    checkGrant(ctx.env.use(roles), ctx.principal, user.roles, []);
    const patch = { ...decided, mail: ctx.env.mailer ? ("due" as const) : ("none" as const) };
    const involved = [user.id];
    const approved = await ctx.transition(
      factorResets,
      factorResetStatus,
      reset,
      { event: "approve" },
      { reason: said, patch, involved },
    );
    ctx.env.use(resetNotices).listen();
    return ctx.update(factorResets, approved, { removed: await removeAll(ctx, user) }, { event: false });
  },
});

/** Removes all factors of somebody, and ends every sign-in. */
async function removeAll(ctx: Context, user: User): Promise<number> {
  const removed = await dropFactors(ctx, user.id);
  await renewCredential(ctx, user.id);
  await recordChange(ctx, user, "reset", "all");
  return removed;
}
