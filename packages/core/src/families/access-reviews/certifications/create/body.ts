import type { z } from "zod";
import { requireAll, requireNamed } from "#families/access/index.js";
import { accessAssignments } from "#families/access-grants/index.js";
import { refuseSelfAppointment } from "#families/accountability/index.js";
import { readEstateBody, refuseUnknown } from "#families/estate/index.js";
import { roles, users } from "#families/identity/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import {
  CertificationFields,
  type CertificationStage,
  type CertificationTerms,
  remediationOf,
  scopeOf,
  stageOf,
  USUAL_STAGES,
} from "../fields.js";
import { CERTIFICATION_READ_ONLY } from "../schema.js";

const Given = CertificationFields.partial();

export const CertificationRequest = openBody({
  id: "AccessCertificationRequest",
  fields: CertificationFields,
  closed: true,
  example: {
    name: "Access of agents, first quarter",
    scope: { riskAtLeast: "medium" },
    stages: [{ reviewer: "asset_owner", duration: "P14D" }],
  },
});

const EMERGENCY_TIME = "PT48H";

/** Reads a generic body as a new campaign, with what follows from what it leaves out. */
export function readCertificationBody(ctx: ReadContext, body: GenericBody) {
  const { fields, free, reason } = readEstateBody(body, Given, CERTIFICATION_READ_ONLY);
  refuseUnknown(free.configuration, "Certifications", Object.keys(Given.shape));
  const { name, metadata = {}, attributes = {} } = free;
  return { fields: termsFrom(ctx, fields), name, metadata, attributes, reason };
}

/** The terms of a campaign with their defaults. */
export function termsFrom(
  { now, principal }: Pick<ReadContext, "now" | "principal">,
  given: Partial<z.output<typeof CertificationFields>>,
): CertificationTerms {
  const { kind = "campaign", startAt = now } = given;
  return {
    description: given.description ?? null,
    kind,
    ownerId: given.ownerId ?? principal.userId,
    scope: scopeOf(given.scope ?? {}),
    stages: given.stages?.map(stageOf) ?? USUAL_STAGES,
    startAt,
    dueAt: given.dueAt ?? (kind === "emergency_review" ? after(startAt, EMERGENCY_TIME) : null),
    remediation: remediationOf(given.remediation ?? {}),
    onSilence: given.onSilence ?? "keep_and_flag",
    confirmSilentRevoke: given.confirmSilentRevoke ?? false,
    maxAutoRevokePercent: given.maxAutoRevokePercent ?? 25,
    staleDataAction: given.staleDataAction ?? "continue",
    maxDataAge: given.maxDataAge ?? "P1D",
    recurrence: given.recurrence ?? null,
  };
}

/** A time that is later by a duration. */
export const after = (time: string, duration: string) => timestamp(Date.parse(time) + millisecondsOf(duration));

/**
 * 400 unless the terms make sense together, and name people and roles of this tenant. 403 where somebody names themself
 * as a reviewer.
 */
export async function checkTerms(ctx: Context, { ownerId, stages, startAt, dueAt, ...terms }: CertificationTerms) {
  if (terms.onSilence === "revoke" && !terms.confirmSilentRevoke)
    throw invalidProperty("/confirmSilentRevoke", "It must be true: silence would revoke access that may be needed.");
  if (dueAt !== null && dueAt <= (startAt < ctx.now ? ctx.now : startAt))
    throw invalidProperty("/dueAt", "It must close after it starts.");
  if (terms.recurrence !== null && millisecondsOf(terms.recurrence) < daysMs(1))
    throw invalidProperty("/recurrence", "It is a day at least.");
  for (const [at, stage] of stages.entries()) checkStage(ctx, stage, `/stages/${at}`);
  const { scope } = terms;
  const about = [scope, ...scope.exclude];
  await requireNamed(ctx, about, "/scope");
  await requireAll(
    ctx,
    accessAssignments,
    about.flatMap(({ assignmentIds = [] }) => assignmentIds),
    "/scope",
  );
  const named = [ownerId, ...stages.flatMap(({ userIds = [], fallbackUserIds }) => [...userIds, ...fallbackUserIds])];
  const ids = [...new Set(named)].filter((id) => id !== "system");
  const known = new Set((await ctx.db.getMany(users, ids)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) {
    const reviewing = stages.flatMap(({ userIds = [], fallbackUserIds }) => [...userIds, ...fallbackUserIds]);
    return refuseSelfAppointment(ctx, reviewing, "/stages");
  }
  const message = `There is no user ${unknown}.`;
  throw new ReeveError("invalid_reference", undefined, {
    errors: [{ pointer: unknown === ownerId ? "/ownerId" : "/stages", code: "invalid_reference", message }],
  });
}

function checkStage({ env }: Context, { reviewer, userIds, group, strategy, quorum }: CertificationStage, at: string) {
  if (reviewer === "users" && userIds === undefined) throw invalidProperty(`${at}/userIds`, "Name who reviews.");
  if (reviewer === "group" && !env.use(roles).has(group ?? "")) throw invalidProperty(`${at}/group`, "Name a role.");
  if (quorum !== undefined && strategy !== "quorum")
    throw invalidProperty(`${at}/quorum`, "It is for the strategy `quorum`.");
}
