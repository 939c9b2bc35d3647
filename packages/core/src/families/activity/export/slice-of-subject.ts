import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { headOf } from "../chain/verify/compare.js";
import { knownSubject } from "../events/events-of-subject.js";
import { DISORDER, firstOfMoment } from "../events/first-of-moment.js";
import type { ExportRange, Slice } from "./export-events.js";

/** What an export is narrowed down to. */
export interface Wanted {
  readonly subjectId?: string | undefined;
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

/**
 * The part of the chain in which all events of a span of time stand, with an event before and one behind, so that it can be
 * seen that the part covers the span; and the slice that shows the events of a subject. 400 for a subject that no event tells
 * of.
 */
export async function sliceOf(
  ctx: ReadContext,
  { subjectId, from, before }: Wanted,
): Promise<Pick<ExportRange, "after" | "to" | "slice">> {
  const first = await firstOfMoment(ctx.db, from === undefined ? undefined : Date.parse(from) - DISORDER);
  const last = await firstOfMoment(ctx.db, before === undefined ? undefined : Date.parse(before) + DISORDER);
  // Where all events are older, the last one is the one before.
  const within = first ?? (from === undefined ? 0 : (await headOf(ctx.db)) + 1);
  const bounds = { after: Math.max(0, within - 2), ...(last === undefined ? {} : { to: last }) };
  if (subjectId === undefined) return bounds;
  const subject = await knownSubject(ctx, subjectId);
  if (!subject)
    throw new ReeveError("invalid_reference", undefined, {
      errors: [
        {
          parameter: "subjectId",
          code: "invalid_reference",
          message: "No event of this tenant tells of this subject.",
        },
      ],
    });
  const slice: Slice = {
    ids: subject.streams,
    ...(from === undefined ? {} : { from: timestamp(Date.parse(from)) }),
    ...(before === undefined ? {} : { before: timestamp(Date.parse(before)) }),
  };
  return { ...bounds, slice };
}
