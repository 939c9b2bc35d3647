import { subjectOf } from "#kernel/events/record-events.js";
import { requireReason } from "#kernel/operation/context.js";
import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { askForReason } from "#kernel/operation/stops.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { actionBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { Label } from "../assets/fields.js";
import { liftHalt } from "./lift-halt.js";
import { HALT_SCOPES, Halt, halts } from "./schema.js";
import { startHalt } from "./start/start.js";
import { targetOf } from "./start/target.js";

const PATH = "/api/v1/ai/halts";
const tag = "AI Governance";
const shared = { tag, path: PATH, collection: halts, schema: Halt, extension: true } as const;
const may = (verb: "read" | "start" | "lift") =>
  ({ permission: `ai-halt:${verb}`, capability: "ai_governance" }) as const;

export const listHalts = listOperation({
  ...shared,
  id: "aiHalts.list",
  summary: "List halts",
  access: may("read"),
  // Who looks whether something was stopped must not see how it was a moment ago.
  replica: false,
});

export const readHalt = readOperation({ ...shared, id: "aiHalts.read", summary: "Read one halt", access: may("read") });

const { name, reason, metadata } = GenericBody.shape;
const HaltRequest = z
  .strictObject({
    scope: z.enum(HALT_SCOPES).meta({ description: "What to stop." }),
    target: Label.optional().meta({ description: "Id of the team, or of the MCP server; none for all agents." }),
    findingId: Label.optional().meta({ description: "The finding that causes it." }),
    ...{ name, reason, metadata },
  })
  .meta({ id: "AiHaltRequest", example: { scope: "all_agents", reason: "An agent reads what it should not." } });

export const createHalt = defineOperation({
  id: "aiHalts.create",
  stops: true,
  method: "POST",
  path: PATH,
  tag,
  summary: "Halt all agents, those of a team, or an MCP server with its tools",
  description:
    "Decisions and open sessions obey at once, in every process. Halts may overlap: an asset goes on when none stops it.",
  access: may("start"),
  extension: true,
  body: HaltRequest,
  success: { status: 201, schema: Halt },
  errors: ["invalid_reference", "limit_exceeded"],
  async handler(ctx, { body: { scope, target: given, findingId = null, metadata = {}, ...body } }) {
    const target = await targetOf(ctx, scope, given);
    const reason = body.reason?.trim() ?? "";
    const halt = await startHalt(ctx, { scope, target, findingId, reason, metadata, name: body.name });
    const stop = { act: "aiHalt: start", subject: subjectOf(halts, halt.id), name: halt.name };
    await askForReason(ctx, body.reason, stop);
    return halt;
  },
});

export const liftHaltRequest = defineOperation({
  id: "aiHalts.lift",
  method: "POST",
  path: `${PATH}/{id}/lift`,
  tag,
  summary: "Lift a halt",
  description:
    "A halt caused by a finding of critical severity stays until a four-eyes approver asks the same; `liftRequest` names the first.",
  access: may("lift"),
  extension: true,
  params: ById,
  body: actionBody({ id: "AiHaltLift", example: { reason: "The agent was mended and looked at." } }).optional(),
  success: { status: 200, schema: Halt },
  errors: ["missing_reason", "self_approval_forbidden"],
  async handler(ctx, { params, body = {} }) {
    const halt = await ctx.getForUpdate(halts, params.id);
    return halt.status === "lifted" ? halt : liftHalt(ctx, halt, requireReason(body.reason));
  },
});
