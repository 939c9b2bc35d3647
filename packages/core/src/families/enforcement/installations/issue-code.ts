import { assets, Label, requireAnsweringFor } from "#families/estate/index.js";
import { requireUser } from "#families/sessions/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { dropSecrets, issueSecret } from "./credentials/secret.js";
import { ClientName } from "./fields.js";
import { enrolmentCodeStatus } from "./machine.js";
import { EnrolmentCode, enrolmentCodes } from "./schema.js";

/** Seconds that a code works, by default and at most. */
const CODE_SECONDS = { usual: daysMs(1) / 1_000, most: daysMs(30) / 1_000 } as const;
/** The most installations of one code. */
const MOST_USES = 10_000;

export const EnrolmentCodeRequest = z
  .strictObject({
    name: z.string().trim().min(1).max(200).optional().meta({ description: "A name for it." }),
    agentId: Label.meta({ description: "The asset of the agent that runs where it is used." }),
    client: ClientName.optional().meta({ description: "The only client that it enrols; any when absent." }),
    userId: Label.optional().meta({
      description: "The person whose places it enrols: an active user, or somebody of another system.",
    }),
    team: Label.optional().meta({ description: "The team whose places it enrols." }),
    maxUses: z.int().min(1).max(MOST_USES).optional().meta({ description: "How many it may enrol; 1 when absent." }),
    ttlSeconds: z
      .int()
      .min(60)
      .max(CODE_SECONDS.most)
      .optional()
      .meta({ description: `How long it works; ${CODE_SECONDS.usual} when absent.`, example: 3_600 }),
  })
  .meta({ id: "EnrolmentCodeRequest", example: { agentId: "ast_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", maxUses: 20 } });
export type EnrolmentCodeRequest = z.output<typeof EnrolmentCodeRequest>;

export const IssuedEnrolmentCode = EnrolmentCode.extend({
  code: z.string().meta({ description: "The code. It is shown this once." }),
}).meta({ id: "IssuedEnrolmentCode" });

/**
 * Makes a code that enrols installations of an agent. 400 `invalid_reference` for anything but an agent; 403 for who
 * neither answers for it nor may assign it, since the installations act for it.
 */
export async function issueCode(
  ctx: Context,
  body: EnrolmentCodeRequest,
): Promise<z.output<typeof IssuedEnrolmentCode>> {
  const agent = (await ctx.db.get(assets, body.agentId))?.value;
  if (agent?.assetType !== "agent")
    throw invalidProperty("/agentId", "There is no agent with this id.", "invalid_reference");
  await requireAnsweringFor(ctx, [agent.id]);
  await requireUser(ctx, body.userId ?? null);
  const expiresAt = timestamp(ctx.request.nowMs + (body.ttlSeconds ?? CODE_SECONDS.usual) * 1_000);
  const { id, version, ...marks } = ctx.stamp(enrolmentCodes);
  const code = await issueSecret(ctx, "code", id, expiresAt);
  // Its last characters are for the list alone, and stand in no event.
  const stored = await ctx.insert(
    enrolmentCodes,
    {
      id,
      name: body.name ?? nameOf(`Installations of ${agent.name}`),
      status: "active",
      version,
      metadata: {},
      ...marks,
      agentId: agent.id,
      client: body.client ?? null,
      userId: body.userId ?? null,
      team: body.team ?? null,
      last4: code.slice(-4),
      maxUses: body.maxUses ?? 1,
      uses: 0,
      expiresAt,
    },
    { event: false },
  );
  const { name, client, maxUses, userId, team } = stored;
  await ctx.emit({
    type: "installation.code.issued",
    subject: subjectOf(enrolmentCodes, id),
    related: [agent.id],
    data: { agentId: agent.id, name, client, maxUses, userId, team, expiresAt },
  });
  return { ...stored, code };
}

/** Withdraws a code. What it has enrolled stays. */
export async function revokeCode(ctx: Context, id: string, reason: string | undefined): Promise<EnrolmentCode> {
  const code = await ctx.getForUpdate(enrolmentCodes, id);
  if (code.status === "revoked") return code;
  const revoked = await ctx.transition(enrolmentCodes, enrolmentCodeStatus, code, { event: "revoke" }, { reason });
  await dropSecrets(ctx, code.id);
  return revoked;
}
