import { assets, registerAsset } from "#families/estate/index.js";
import { enterTenant } from "#families/platform/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { z } from "#schema/z.js";
import { credentialEnd } from "./credentials/lifetime.js";
import { isSecret, issueSecret, secretKey } from "./credentials/secret.js";
import { ClientName } from "./fields.js";
import { enrolmentCodeStatus } from "./machine.js";
import { type EnrolmentCode, enrolmentCodes, Installation, installationKeys, installations } from "./schema.js";

const Told = z.string().trim().min(1).max(200);

export const EnrolmentRequest = z
  .strictObject({
    code: z.string().max(200).meta({ description: "The enrolment code." }),
    client: ClientName,
    name: Told.optional().meta({
      description: "A name for the place, such as that of the machine.",
      example: "build-7",
    }),
    clientVersion: Told.optional().meta({ description: "Version of the client." }),
    platform: Told.optional().meta({ description: "The operating system there.", example: "linux" }),
  })
  .meta({ id: "EnrolmentRequest", example: { code: `rec_${"A".repeat(43)}`, client: "codex", name: "build-7" } });
type EnrolmentRequest = z.output<typeof EnrolmentRequest>;

export const EnrolledInstallation = Installation.extend({
  credential: z.string().meta({ description: "Its credential, a bearer of this API. It is shown this once." }),
}).meta({ id: "EnrolledInstallation" });
type EnrolledInstallation = z.output<typeof EnrolledInstallation>;

/**
 * Enrols an installation by a code, in one transaction: its identity, and its credential. 401 for every code that is good for nothing, whatever the reason.
 */
export async function enrol(ctx: OutsideContext, request: EnrolmentRequest): Promise<EnrolledInstallation> {
  const { inside, codeId } = await tenantBehind(ctx, request.code);
  return inside.write(async (inner) => {
    const code = await usableCode(inner, codeId, request);
    const stored = await addInstallation(inner, code, request);
    const credential = await issueSecret(inner, "credential", stored.id, stored.expiresAt);
    await countUse(inner, code);
    return { ...stored, credential };
  });
}

/** The tenant of a code, as far as its form, its tenant and the host of the request admit it. */
async function tenantBehind(ctx: OutsideContext, code: string) {
  const key = isSecret("code", code) ? secretKey(ctx.env, code) : undefined;
  const row = key && (await ctx.env.store.platform.get(installationKeys, key));
  if (!row) throw new ReeveError("invalid_token");
  return { inside: await enterTenant(ctx, row.tenantId, "ai_governance"), codeId: row.value.of };
}

async function usableCode(ctx: Context, codeId: string, { client }: EnrolmentRequest): Promise<EnrolmentCode> {
  const row = await ctx.db.get(enrolmentCodes, codeId);
  const code = row && (await ctx.current(enrolmentCodes, row));
  const agent = code && (await ctx.db.get(assets, code.agentId))?.value;
  if (code?.status !== "active" || !agent) throw new ReeveError("invalid_token");
  if (code.client === null || code.client === client) return code;
  throw new ReeveError("permission_denied", `The code enrols installations of ${code.client} only.`);
}

async function addInstallation(ctx: Context, code: EnrolmentCode, request: EnrolmentRequest): Promise<Installation> {
  const { agentId, userId, team, createdBy, id: codeId } = code;
  const { client, clientVersion = null, platform = null } = request;
  const { id, version, ...marks } = ctx.stamp(installations);
  const name = request.name ?? `${client} ${id.slice(-6).toLowerCase()}`;
  // Whoever made the code answers for what it has enrolled.
  const sponsor = { type: "user", id: createdBy } as const;
  const { asset, record } = await registerAsset(
    ctx,
    {
      fields: { assetType: "identity", sponsor, purpose: "Asks for decisions and reports." },
      free: { name: nameOf(`Installation ${name}`) },
      status: undefined,
      reason: undefined,
    },
    // No identity that the agent runs as: the agent would stand or fall with each of its installations.
    { fields: { kind: "workload" }, free: {} },
  );
  if (!record) throw new Error("identities have records");
  const stored = await ctx.insert(
    installations,
    {
      ...{ id, name, status: "active", version, metadata: {}, ...marks },
      ...{ agentId, userId, team, client, clientVersion, platform, codeId },
      ...{ identityId: record.id, assetId: asset.id, enrolledAt: ctx.now, lastSeenAt: null },
      ...{ expiresAt: credentialEnd(ctx), revokedAt: null, revocationReason: null },
      ...{ report: null, unpublishedServers: [] },
    },
    { event: false },
  );
  await ctx.emit({
    type: "installation.enrolled",
    subject: subjectOf(installations, id),
    related: [agentId, asset.id, record.id, codeId],
    data: { client, agentId, identityId: record.id, codeId },
  });
  return stored;
}

async function countUse(ctx: Context, code: EnrolmentCode): Promise<void> {
  const counted = await ctx.update(enrolmentCodes, code, { uses: code.uses + 1 }, { event: false });
  if (counted.uses < counted.maxUses) return;
  const options = { triggeredBy: "system", reason: "It has enrolled as many as it may." } as const;
  await ctx.transition(enrolmentCodes, enrolmentCodeStatus, counted, { event: "use_up" }, options);
}
