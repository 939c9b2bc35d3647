import { z } from "zod";
import { ReeveError } from "../../../kernel/http/errors.js";
import { type Context, requireReason } from "../../../kernel/operation/context.js";
import { defineOperation } from "../../../kernel/operation/operation.js";
import { GenericBody } from "../../../kernel/records/generic-body.js";
import type { StoredEvent } from "../../../store/event-log.js";
import { CHAIN_ENTITY, CHAIN_SUBJECT, isOfChain } from "../chain/events.js";
import { isSubjectId } from "../events/operations.js";

const BY_ID = 100;
const OF_SUBJECT = 500;

const ErasureRequest = z
  .strictObject({
    reason: GenericBody.shape.reason,
    metadata: GenericBody.shape.metadata,
    eventIds: z
      .array(z.string().max(64))
      .min(1)
      .max(BY_ID)
      .optional()
      .meta({ description: `Ids of events, at most ${BY_ID}.` }),
    subjectId: z
      .string()
      .max(255)
      .optional()
      .meta({ description: "Instead of ids: whatever the activity of this subject lists." }),
    before: z.int().min(1).optional().meta({ description: "`next` of the call before; with `subjectId`." }),
  })
  .meta({
    id: "ErasureRequest",
    example: { subjectId: "usr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", reason: "Asked for by the person." },
  });
type ErasureRequest = z.output<typeof ErasureRequest>;

const Erasure = z
  .object({
    erased: z.int().min(0).meta({ description: "Events whose data this call has erased." }),
    alreadyErased: z.int().min(0).meta({ description: "Events whose data was gone before." }),
    kept: z.int().min(0).meta({ description: "Events about the chain itself, which keep their data." }),
    next: z.int().nullable().meta({ description: "Go on with this as `before`; `null` at the end." }),
  })
  .meta({ id: "Erasure" });

export const eraseEvents = defineOperation({
  id: "aiGovernance.eraseEvents",
  method: "POST",
  path: "/api/v1/ai-governance/audit/erasure",
  tag: "AI Activity",
  summary: "Erase the data of events for good",
  description: `By ids or by subject, up to ${OF_SUBJECT} events a call. Their attributes and hashes stay, so the chain verifies as before; who asked and why becomes an event of its own.`,
  access: { permission: "ai-audit:erase", capability: "ai_registry" },
  extension: true,
  body: ErasureRequest,
  success: { status: 200, schema: Erasure },
  errors: ["missing_reason", "invalid_reference"],
  async handler(ctx, { body }) {
    if ((body.eventIds === undefined) === (body.subjectId === undefined))
      throw new ReeveError("invalid_request", "Name either `eventIds` or a `subjectId`.");
    const reason = requireReason(body.reason);
    const { events, next } = await named(ctx, body);
    const spared = events.filter(isOfChain);
    const erasable = events.filter((event) => event.data !== null && !isOfChain(event));
    const sequences = erasable.map(({ sequence }) => sequence);
    if (sequences.length > 0) {
      await ctx.eraseEvents(sequences);
      await ctx.emit({
        type: "audit.erased",
        subject: CHAIN_SUBJECT,
        related: body.subjectId === undefined ? subjectsOf(erasable) : [body.subjectId],
        data: {
          entity: CHAIN_ENTITY,
          reason,
          metadata: body.metadata ?? {},
          sequences,
          subjectId: body.subjectId ?? null,
        },
        severity: "WARN",
      });
    }
    const erased = sequences.length;
    return { erased, alreadyErased: events.length - erased - spared.length, kept: spared.length, next };
  },
});

async function named(
  ctx: Context,
  { eventIds, subjectId = "", before }: ErasureRequest,
): Promise<{ events: readonly StoredEvent[]; next: number | null }> {
  if (eventIds) return { events: await withIds(ctx, eventIds), next: null };
  const stream = subjectId;
  if (!isSubjectId(stream) || (await ctx.db.events({ stream, size: 1 })).events.length === 0)
    throw unknown("/subjectId", "a subject");
  const page = { stream, size: OF_SUBJECT, ...(before === undefined ? {} : { before }) };
  const { events, next } = await ctx.db.events(page);
  return { events, next: next ?? null };
}

async function withIds(ctx: Context, ids: readonly string[]): Promise<readonly StoredEvent[]> {
  const events = await ctx.db.getEvents(ids);
  const found = new Set(events.map(({ id }) => id));
  const missing = ids.findIndex((id) => !found.has(id));
  if (missing >= 0) throw unknown(`/eventIds/${missing}`, "an event");
  return events;
}

function unknown(pointer: string, what: string): ReeveError {
  const errors = [{ pointer, code: "invalid_reference" as const, message: `Not the id of ${what} of this tenant.` }];
  return new ReeveError("invalid_reference", undefined, { errors });
}

function subjectsOf(events: readonly StoredEvent[]): string[] {
  return [...new Set(events.map(({ attributes }) => (JSON.parse(attributes) as { subject: string }).subject))];
}
