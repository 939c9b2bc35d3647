import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import type { CertificationTerms } from "../fields.js";
import { later } from "../rules.js";
import type { Certification } from "../schema.js";
import { after } from "./body.js";
import { createCertification } from "./create.js";

/** The terms of a campaign, for another one. */
export function termsOf(campaign: Certification): CertificationTerms {
  const { description, kind, ownerId, scope, stages, startAt, dueAt, remediation, onSilence } = campaign;
  const { confirmSilentRevoke, maxAutoRevokePercent, staleDataAction, maxDataAge, recurrence } = campaign;
  return {
    ...{ description, kind, ownerId, scope, stages, startAt, dueAt, remediation, onSilence },
    ...{ confirmSilentRevoke, maxAutoRevokePercent, staleDataAction, maxDataAge, recurrence },
  };
}

/** Begins the next campaign of a recurrence, if it has one. What passed meanwhile is not made up for. */
export async function repeat(ctx: Context, campaign: Certification): Promise<void> {
  const { name, metadata, attributes, iteration, id, startAt, dueAt, recurrence } = campaign;
  if (recurrence === null) return;
  const begins = later(after(startAt, recurrence), ctx.now);
  const moved = Date.parse(begins) - Date.parse(startAt);
  const closes = dueAt === null ? null : timestamp(Date.parse(dueAt) + moved);
  const terms = { ...termsOf(campaign), startAt: begins, dueAt: closes };
  await createCertification(ctx, terms, { name, metadata, attributes, iteration: iteration + 1, previousId: id });
}
