import { notFound } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { knownSubject } from "./events-of-subject.js";
import { ActivityQuery } from "./filter/query.js";
import { Event } from "./schema.js";
import { filteredEvents, WALKED_EVENTS } from "./walk-events.js";

const access = { permission: "ai-activity:read", capability: "ai_registry" } as const;
const bounded = `With filters, one answer looks through up to ${WALKED_EVENTS} events: it may hold fewer items than its size, and goes on at \`nextCursor\`.`;

export const listActivity = defineOperation({
  id: "aiActivity.list",
  method: "GET",
  path: "/api/v1/ai/activity",
  tag: "AI Activity",
  summary: "List what has happened in the tenant, newest first",
  description: bounded,
  access,
  query: ActivityQuery,
  success: { status: 200, schema: pageOf(Event) },
  handler: (ctx, { query }) => filteredEvents(ctx, query),
});

export const listSubjectActivity = defineOperation({
  id: "aiActivity.listSubject",
  method: "GET",
  path: "/api/v1/ai/activity/{subjectId}",
  tag: "AI Activity",
  summary: "List what has happened to one subject, and to what belongs to it, newest first",
  description: `An asset and its record, such as its agent, have one activity, which the id of either gives. Also answers for subjects that have been deleted since. ${bounded}`,
  access,
  params: z.object({ subjectId: z.string().max(255).meta({ description: "Id of the subject." }) }),
  query: ActivityQuery,
  success: { status: 200, schema: pageOf(Event) },
  async handler(ctx, { params, query }) {
    const subject = await knownSubject(ctx, params.subjectId);
    if (!subject) throw notFound();
    return filteredEvents(ctx, query, subject.streams);
  },
});
