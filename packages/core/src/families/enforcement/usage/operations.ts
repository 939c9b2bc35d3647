import { parameterError } from "#kernel/http/target.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { dayOf, timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { GROUPS, Usage } from "./fields.js";
import { sumUsage } from "./sum-usage.js";

/** Days of an answer: where none is named, and at most. */
const DAYS = { default: 30, most: 366 };

export const readUsage = defineOperation({
  id: "usage.read",
  method: "GET",
  path: "/api/v1/ai/usage",
  tag: "AI Enforcement",
  summary: "Sum up the use of models and tools that installations report",
  description:
    "Calls, tokens, cost, failures and latency by agent, model, tool, server, team, installation or day. Without `from`, the last 30 days; 366 at most. A number that calls did not say is unknown and not zero: `unknownCalls` tells of how many.",
  extension: true,
  access: { permission: "usage:read", capability: "ai_governance" },
  query: z.strictObject({
    groupBy: z.enum(GROUPS).optional().meta({ description: "What the groups are; `model` when absent." }),
    from: z.iso.date().optional().meta({ description: "The first day, in UTC." }),
    to: z.iso.date().optional().meta({ description: "The last day; today when absent." }),
    installationId: z.string().max(200).optional().meta({ description: "Of this installation alone." }),
    agentId: z.string().max(200).optional().meta({ description: "Of installations of this agent alone." }),
  }),
  success: { status: 200, schema: Usage },
  errors: ["limit_exceeded"],
  handler: (ctx, { query: { groupBy = "model", from, to, ...of } }) =>
    sumUsage(ctx, { groupBy, ...daysOf(ctx, from, to), ...of }),
});

function daysOf(ctx: ReadContext, from: string | undefined, to = dayOf(ctx.now)): { from: string; to: string } {
  const first = from ?? dayOf(timestamp(Date.parse(to) - daysMs(DAYS.default - 1)));
  if (first > to) throw parameterError("from", "invalid_parameter", "It lies after the last day.");
  const days = (Date.parse(to) - Date.parse(first)) / daysMs(1) + 1;
  if (days > DAYS.most) throw parameterError("from", "invalid_parameter", `At most ${DAYS.most} days are summed up.`);
  return { from: first, to };
}
