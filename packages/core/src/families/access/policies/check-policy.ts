import { refuseSelfAppointment } from "#families/accountability/index.js";
import { roles, users } from "#families/identity/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { type ApprovalStage, type Approver, EMERGENCY_MOST, type PolicyTerms } from "./fields.js";
import { noSuch, requireNamed } from "./named-parties.js";

/**
 * 400 unless the terms of a policy make sense together, and name people, roles and access of this tenant. 403 where
 * somebody names themself as an approver.
 */
export async function checkTerms(ctx: Context, terms: PolicyTerms, before?: PolicyTerms): Promise<void> {
  checkEffect(ctx, terms);
  for (const [at, stage] of terms.stages.entries()) checkStage(ctx, stage, `/stages/${at}`);
  const keys = terms.conflicts.map(({ key }) => key);
  if (new Set(keys).size < keys.length) throw invalidProperty("/conflicts", "Two rules have the same key.");
  await checkPeople(ctx, terms.stages, before?.stages ?? []);
  await checkNamed(ctx, terms);
}

function checkEffect(ctx: Context, { kind, effect, stages, limits, endsAt, maxDuration }: PolicyTerms): void {
  if (effect === "allow" && limits === null) throw invalidProperty("/limits", "Access without an approval has limits.");
  if (effect === "allow" && endsAt === null) throw invalidProperty("/endsAt", "Access without an approval has an end.");
  if (effect === "require_approval" && stages.length === 0) throw invalidProperty("/stages", "Say who approves.");
  if (endsAt !== null && endsAt <= ctx.now) throw invalidProperty("/endsAt", "It must lie ahead.");
  if (kind === "emergency" && maxDuration !== null && millisecondsOf(maxDuration) > millisecondsOf(EMERGENCY_MOST))
    throw invalidProperty("/maxDuration", `Emergency access lasts ${EMERGENCY_MOST} at most.`);
}

const approversOf = ({ approvers, fallback = [], escalateTo = [] }: ApprovalStage): readonly Approver[] => [
  ...approvers,
  ...fallback,
  ...escalateTo,
];

function checkStage({ env }: Context, stage: ApprovalStage, at: string): void {
  const { mode = "any", approveThreshold, onTimeout, escalateTo = [], timeout } = stage;
  if ((mode === "quorum") !== (approveThreshold !== undefined))
    throw invalidProperty(`${at}/approveThreshold`, "It is for the mode `quorum`, which takes it.");
  if ((onTimeout === "escalate") !== escalateTo.length > 0)
    throw invalidProperty(`${at}/escalateTo`, "It is for `escalate`, which takes it.");
  if (onTimeout !== undefined && timeout === undefined)
    throw invalidProperty(`${at}/timeout`, "Say how long they have.");
  for (const { kind, id } of approversOf(stage)) {
    const isNamed = kind === "user" || kind === "role";
    if (isNamed !== (id !== undefined))
      throw invalidProperty(at, `An approver of kind ${kind} ${isNamed ? "has" : "has no"} id.`);
    if (kind === "role" && !env.use(roles).has(id as string)) throw invalidProperty(at, `There is no role ${id}.`);
  }
}

const peopleIn = (stages: readonly ApprovalStage[]) =>
  new Set(stages.flatMap((stage) => approversOf(stage).flatMap(({ kind, id }) => (kind === "user" && id ? [id] : []))));

async function checkPeople(
  ctx: Context,
  stages: readonly ApprovalStage[],
  before: readonly ApprovalStage[],
): Promise<void> {
  const ids = [...peopleIn(stages)];
  if (ids.length === 0) return;
  const known = new Set((await ctx.db.getMany(users, ids)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw noSuch("/stages", `There is no user ${unknown}.`);
  const held = peopleIn(before);
  await refuseSelfAppointment(
    ctx,
    ids.filter((id) => !held.has(id)),
    "/stages",
  );
}

const checkNamed = (ctx: Context, { covers, conflicts }: PolicyTerms) =>
  requireNamed(ctx, [covers, ...conflicts.flatMap(({ left, right }) => [left, right])], "/covers");
