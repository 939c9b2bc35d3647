import { eventText } from "#kernel/events/events.js";
import { severalOf } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { eventView } from "#kernel/operation/shown-events.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { after } from "../chain/fields.js";
import { headOf } from "../chain/verify/compare.js";
import { wholeTypes } from "../events/filter/types.js";
import { liveWaits } from "./live-waits.js";

/** The most events of one answer, and the most bytes after which no further event begins. */
const MOST = 200;
const BYTES = 1024 * 1024;
/** The longest time that a request waits for an event, in seconds. Proxies give up after half a minute or later. */
const LONGEST_WAIT = 25;
/** After how many milliseconds a client asks again. In a busy tenant it asks so often, which the default rate limits allow. */
const RETRY = { soon: 500, idle: 2_000 };

const LiveQuery = z.strictObject({
  after: after.meta({
    description: "The sequence to go on after. `Last-Event-ID` counts more. When both are absent: only what comes now.",
    example: 41,
  }),
  wait: z.int().min(0).max(LONGEST_WAIT).default(0).meta({
    description: "Seconds to wait for an event where none is there yet.",
    example: 25,
  }),
  type: severalOf(z.string().min(1).max(200)).meta({
    description: "Types of event, parted by commas, with or without prefix and version.",
    example: ["asset.created"],
  }),
});

export const streamActivity = defineOperation({
  id: "aiActivity.stream",
  method: "GET",
  path: "/api/v1/ai/activity-stream",
  tag: "AI Activity",
  extension: true,
  summary: "Follow what happens in the tenant, as server-sent events, oldest first",
  description: `An answer holds up to ${MOST} events and ends; a client such as \`EventSource\` asks again after \`retry\` with the \`id\` of the last event, which is its sequence, in \`Last-Event-ID\`. The last event of an answer is of the type \`position\` and says up to where it looked. Each request is authorized anew. With \`wait\` a request without news is held until there is some. Data of records that the caller may not read is left out.`,
  access: { permission: "ai-activity:read", capability: "ai_registry" },
  query: LiveQuery,
  replica: false,
  success: { status: 200, media: "text/event-stream; charset=utf-8", schema: z.string() },
  async handler(ctx, { query }) {
    const types = query.type && new Set(wholeTypes(ctx, query.type));
    const start = ctx.request.lastEventId ?? query.after;
    if (start === undefined) return answered(RETRY.soon, position(await headOf(ctx.db)));
    const news = await newsAfter(ctx, start, types);
    if (news.at > start || query.wait === 0) return answered(news.at > start ? RETRY.soon : RETRY.idle, news.text);
    // What came is read by the next request, which is authorized anew.
    const hasWaited = await ctx.env.use(liveWaits).wait(ctx.db.tenantId, start, query.wait * 1_000);
    return answered(hasWaited ? RETRY.soon : RETRY.idle, news.text);
  },
});

/** Events after a sequence as the protocol writes them, and up to which sequence was looked. */
async function newsAfter(ctx: ReadContext, start: number, types: ReadonlySet<string> | undefined) {
  const view = eventView(ctx);
  let [at, text] = [start, ""];
  for (const event of await ctx.db.scanEvents({ after: start, size: MOST })) {
    if (text.length >= BYTES) break;
    at = event.sequence;
    const isWanted = types?.has((JSON.parse(event.attributes) as { type: string }).type) ?? true;
    if (isWanted) text += `id: ${at}\ndata: ${eventText(view(event))}\n\n`;
  }
  return { at, text: text + position(at) };
}

/**
 * Moves a client on by an event of a type of its own, which `onmessage` does not hear. By the standard an id alone would do,
 * but the library eventsource 3.0 keeps only ids of events with data, and would ask for the same again.
 */
const position = (at: number) => `event: position\nid: ${at}\ndata: ${at}\n\n`;

const answered = (retry: number, text: string) => new Raw(`retry: ${retry}\n${text}`, "text/event-stream");
