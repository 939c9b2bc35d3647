import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { NO_CONSTRAINTS, ToolConstraints } from "../constraints/schema.js";
import { TTL } from "../rules.js";
import { AUDIENCE } from "../schema.js";

const Id = z.string().max(200);

export const TokenRequest = z
  .strictObject({
    name: z.string().trim().min(1).max(200).optional().meta({ description: "A name for it." }),
    connectorInstanceId: Id.optional().meta({
      description: "The target. Not needed where the access in force is in one target only.",
    }),
    assignmentIds: z
      .array(Id)
      .min(1)
      .max(50)
      .optional()
      .meta({ description: "The access that it rests on; all of the asset in the target when absent." }),
    tools: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "Names of tools; all that the access opens when absent." }),
    ttlSeconds: z
      .int()
      .min(TTL.least)
      .max(TTL.most)
      .optional()
      .meta({ description: `How long it lasts, ${TTL.least} to ${TTL.most}; ${TTL.usual} when absent.`, example: 300 }),
    sessionId: Id.optional().meta({ description: "The session that it belongs to, and with which it ends." }),
    constraints: ToolConstraints.partial().strict().optional().meta({ description: "What narrows it further." }),
    audience: z.enum([AUDIENCE]).optional().meta({ description: "Where it is taken." }),
    honeytoken: z
      .boolean()
      .optional()
      .meta({ description: "A trap to put somewhere: good for nothing, and its use is told of." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({ id: "AgentToolTokenRequest", example: { ttlSeconds: 300, constraints: { readOnly: true, maxCalls: 20 } } });
export type TokenRequest = z.output<typeof TokenRequest>;

export const IssuedToken = z
  .object({
    id: z.string().meta({ description: "The id of the token." }),
    token: z.string().meta({ description: "The token. It is shown this once." }),
    expiresAt: Time.meta({ description: "When it ends." }),
    connectorInstanceId: z.string().nullable().meta({ description: "Id of the connection to the target." }),
    tools: z.array(z.string()).meta({ description: "Tools that it opens." }),
    constraints: ToolConstraints.meta({ description: "What narrows it further." }),
    assignmentIds: z.array(z.string()).meta({ description: "The access that it rests on." }),
  })
  .meta({ id: "IssuedAgentToolToken" });
export type IssuedToken = z.output<typeof IssuedToken>;

export const constraintsOf = (given: TokenRequest["constraints"]): ToolConstraints => {
  const defined = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...NO_CONSTRAINTS, ...Object.fromEntries(defined) };
};
