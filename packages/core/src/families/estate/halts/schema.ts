import { SEVERITIES } from "#families/findings/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { haltStatus } from "./machine.js";

/** What a halt can stop: every agent, the agents of one team, or one MCP server with its tools. */
export const HALT_SCOPES = ["all_agents", "team", "mcp_server"] as const;

/** An emergency stop of a tenant, as it is stored and served. */
export const Halt = z
  .object({
    ...recordShape(z.enum(statesOf(haltStatus))),
    scope: z.enum(HALT_SCOPES).meta({ description: "What it stops." }),
    target: z
      .string()
      .nullable()
      .meta({ description: "Id of the team, or of the server's asset; `null`: all agents." }),
    reason: z.string().meta({ description: "Why; empty: whoever started it has not said." }),
    findingId: z.string().nullable().meta({ description: "The finding that caused it." }),
    findingSeverity: z
      .enum(SEVERITIES)
      .nullable()
      .meta({ description: "How grave that was then; after `critical` two people lift the halt." }),
    liftRequest: z
      .object({
        by: z.string().meta({ description: "Id of who asked." }),
        at: Time.meta({ description: "The time when it happened." }),
        reason: z.string().meta({ description: "The reason in words." }),
      })
      .nullable()
      .meta({ description: "The first of two people who want it lifted." }),
    liftedBy: z.string().nullable().meta({ description: "Id of who lifted it." }),
    liftedAt: Time.nullable().meta({ description: "When it was lifted." }),
    liftedReason: z.string().nullable().meta({ description: "Why it was lifted." }),
    relatedParty: RelatedParty,
  })
  .meta({ id: "AiHalt" });
export type Halt = z.output<typeof Halt>;

/** Halts, active and lifted. None is ever removed. */
export const halts = defineCollection<Halt>({
  name: "halts",
  prefix: "hlt",
  schema: Halt,
  resource: { type: "ai_halt", event: "halt", path: "/api/v1/ai/halts" },
  machines: { status: haltStatus },
  related: ({ scope, target, findingId }) =>
    [scope === "mcp_server" ? target : null, findingId].filter((id) => id !== null),
  fields: {
    status: { type: "text" },
    scope: { type: "text" },
    target: { type: "text" },
    findingId: { type: "text" },
  },
  indexes: [{ where: ["status"] }, { where: ["target"] }],
  filters: {
    status: { values: statesOf(haltStatus) },
    scope: { values: HALT_SCOPES },
    target: { ids: "ai_asset", description: "The team or the server." },
    findingId: {},
  },
  counted: ["status"],
});
