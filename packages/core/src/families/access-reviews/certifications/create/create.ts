import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import type { CertificationTerms } from "../fields.js";
import { later } from "../rules.js";
import { type Certification, certificationRuns, certifications } from "../schema.js";

/** How long before its start a campaign gathers what it is about. */
const AHEAD = daysMs(1);

export const NO_DIGEST = sha256("");

type Begun = Pick<Certification, "name" | "metadata" | "attributes"> &
  Partial<Pick<Certification, "iteration" | "previousId" | "requestId">>;

/** Stores a campaign, whose jobs gather what it is about. */
export async function createCertification(
  ctx: Context,
  fields: CertificationTerms,
  { iteration = 1, previousId = null, requestId = null, ...begun }: Begun,
): Promise<Certification> {
  const campaign = await ctx.insert(certifications, {
    ...begun,
    ...fields,
    ...{ status: "preparing", iteration, previousId, requestId, stage: 0, stageDueAt: null, escalated: false },
    ...{ waitingFor: null, startedAt: null, closedAt: null, endedAt: null, confirmation: null },
    ...{ report: null, reportHash: null },
  });
  const due = timestamp(Date.parse(fields.startAt) - AHEAD);
  await ctx.insert(certificationRuns, {
    ...{ certificationId: campaign.id, accessProfileId: null, phase: "preparing", cursor: null },
    ...{ items: 0, digest: NO_DIGEST, attempts: 0, dueAt: later(due, ctx.now) },
  });
  return campaign;
}
