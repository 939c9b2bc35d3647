import { ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { knownSubject } from "../events/events-of-subject.js";
import { type Erasure, erasures } from "./schema.js";

interface Wish {
  readonly reason?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly eventIds?: readonly string[] | undefined;
  readonly subjectId?: string | undefined;
}

/** Stores a request to erase. It takes in what there is at this moment. */
export async function requestErasure(ctx: Context, wish: Wish): Promise<Erasure> {
  const { eventIds, subjectId, metadata = {} } = wish;
  if ((eventIds === undefined) === (subjectId === undefined))
    throw new ReeveError("invalid_request", "Name either `eventIds` or a `subjectId`.");
  const reason = requireReason(wish.reason);
  const through = eventIds ? await lastOf(ctx, eventIds) : await lastAbout(ctx, subjectId ?? "");
  return ctx.insert(erasures, {
    name: eventIds ? `Erasure of ${eventIds.length} events` : `Erasure of ${subjectId}`,
    status: "requested",
    metadata,
    reason,
    eventIds: eventIds ? [...new Set(eventIds)] : null,
    subjectId: subjectId ?? null,
    through,
    requestedBy: ctx.principal.userId,
    approvedBy: null,
    approvedAt: null,
    erased: 0,
    alreadyErased: 0,
    kept: 0,
    decisions: 0,
    next: null,
    relatedParty: false,
  });
}

async function lastAbout(ctx: ReadContext, subjectId: string): Promise<number> {
  const [last] = (await knownSubject(ctx, subjectId))?.newest.events ?? [];
  if (!last) throw unknown("/subjectId", "a subject");
  return last.sequence;
}

async function lastOf(ctx: ReadContext, ids: readonly string[]): Promise<number> {
  const events = await ctx.db.getEvents(ids);
  const found = new Set(events.map(({ id }) => id));
  const missing = ids.findIndex((id) => !found.has(id));
  if (missing >= 0) throw unknown(`/eventIds/${missing}`, "an event");
  return Math.max(...events.map(({ sequence }) => sequence));
}

function unknown(pointer: string, what: string): ReeveError {
  const errors = [{ pointer, code: "invalid_reference" as const, message: `Not the id of ${what} of this tenant.` }];
  return new ReeveError("invalid_reference", undefined, { errors });
}
