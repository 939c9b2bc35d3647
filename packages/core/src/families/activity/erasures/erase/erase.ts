import type { Context } from "#kernel/operation/context.js";
import { sidesOf } from "#kernel/operation/sides.js";
import type { StoredEvent } from "#store/event-log.js";
import { CHAIN_ENTITY, CHAIN_SUBJECT, isOfChain } from "../../chain/events.js";
import { erasureStatus } from "../machine.js";
import { type Erasure, erasures } from "../schema.js";
import { type EventFacts, factsOf } from "./facts.js";
import { decisionsOf, keptStream } from "./kept.js";

/** The most events that one call erases. */
export const AT_ONCE = 500;

/** Approves a request and erases its first events. Takes somebody else than who asked. */
export async function approveErasure(ctx: Context, erasure: Erasure, reason: string | undefined): Promise<Erasure> {
  if (erasure.status !== "approved") {
    const patch = { approvedBy: ctx.principal.userId, approvedAt: ctx.now, next: erasure.through + 1 };
    const approved = await ctx.transition(erasures, erasureStatus, erasure, { event: "approve" }, { reason, patch });
    return eraseNext(ctx, approved, approved.through + 1);
  }
  return erasure.next === null ? erasure : eraseNext(ctx, erasure, erasure.next);
}

/** Erases the next events. The event that says so keeps the reasons of decisions, and is never erased. */
async function eraseNext(ctx: Context, erasure: Erasure, before: number): Promise<Erasure> {
  const { events, next } = await eventsOf(ctx, erasure, before);
  const ofChain = events.filter(isOfChain);
  const erasable = events.filter((event) => event.data !== null && !isOfChain(event)).map(factsOf);
  const decisions = await decisionsOf(ctx, erasable);
  if (erasable.length > 0) await erase(ctx, erasure, erasable, decisions);
  const patch = {
    erased: erasure.erased + erasable.length,
    alreadyErased: erasure.alreadyErased + events.length - erasable.length - ofChain.length,
    kept: erasure.kept + ofChain.length,
    decisions: erasure.decisions + decisions.length,
    next,
  };
  return ctx.update(erasures, erasure, patch, { event: false });
}

async function erase(
  ctx: Context,
  { id, reason, subjectId, metadata, requestedBy, approvedBy }: Erasure,
  erasable: readonly EventFacts[],
  decisions: Awaited<ReturnType<typeof decisionsOf>>,
): Promise<void> {
  const sequences = erasable.map(({ sequence }) => sequence);
  const subjects = [...new Set(erasable.map(({ subject }) => subject))];
  const decided = [...new Set(decisions.map(({ subject }) => keptStream(subject)))];
  await ctx.eraseEvents(sequences);
  await ctx.emit({
    type: "audit.erased",
    subject: CHAIN_SUBJECT,
    related: subjectId === null ? subjects : [subjectId],
    shownUnder: decided,
    data: {
      entity: CHAIN_ENTITY,
      erasureId: id,
      reason,
      metadata,
      sequences,
      subjectId,
      requestedBy,
      approvedBy,
      decisions: decisions.map(({ subject: _, ...kept }) => kept),
    },
    severity: "WARN",
  });
}

async function eventsOf(
  ctx: Context,
  { eventIds, subjectId }: Erasure,
  before: number,
): Promise<{ events: readonly StoredEvent[]; next: number | null }> {
  if (eventIds) return { events: await ctx.db.getEvents(eventIds), next: null };
  const stream = await sidesOf(ctx, subjectId ?? "");
  const { events, next } = await ctx.db.events({ stream, size: AT_ONCE, before });
  return { events, next: next ?? null };
}
