import { Label } from "#families/estate/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Effect, InForce, UnpublishedServer } from "../reports/fields.js";
import { CLIENTS, ClientName } from "./fields.js";
import { enrolmentCodeStatus, installationStatus } from "./machine.js";

const shared = {
  agentId: z.string().meta({ description: "The asset of the agent that runs there." }),
  userId: Label.nullable().meta({ description: "The person whose place it is, as a name; `null`: of several." }),
  team: Label.nullable().meta({ description: "The team whose place it is." }),
};

/** A place where an agent runs and asks: a laptop, a build machine, an image. */
export const Installation = z
  .object({
    ...recordShape(z.enum(statesOf(installationStatus))),
    ...shared,
    client: ClientName,
    clientVersion: Label.nullable().meta({ description: "Version of the client, as it last told." }),
    platform: Label.nullable().meta({ description: "Operating system, as it told when it was enrolled." }),
    identityId: z.string().meta({ description: "The AI identity that it acts as." }),
    assetId: z.string().meta({ description: "The asset of that identity, which can be suspended and halted." }),
    codeId: z.string().meta({ description: "The code that enrolled it." }),
    enrolledAt: Time.meta({ description: "When it was enrolled." }),
    lastSeenAt: Time.nullable().meta({ description: "When it last asked or reported, to the minute." }),
    expiresAt: Time.meta({ description: "When its credential ends, unless it takes a new one before." }),
    revokedAt: Time.nullable().meta({ description: "When it was revoked." }),
    revocationReason: z.string().nullable().meta({ description: "Why it was revoked." }),
    report: InForce.nullable().meta({ description: "What it last said it has in force; `null`: it has not reported." }),
    unpublishedServers: z
      .array(UnpublishedServer)
      .meta({ description: "MCP servers that it has and that were not published to it." }),
  })
  .meta({ id: "StoredInstallation" });
export type Installation = z.output<typeof Installation>;

/** An installation as it is served, with what is in force there now. */
export const InstallationView = Installation.extend(Effect.shape).meta({ id: "Installation" });

/** Installations of clients, each with an identity of its own. */
export const installations = defineCollection<Installation>({
  name: "installations",
  prefix: "ins",
  schema: Installation,
  resource: { type: "installation", event: "installation", path: "/api/v1/ai/installations" },
  machines: { status: installationStatus },
  related: ({ agentId, assetId, identityId }) => [agentId, assetId, identityId],
  fields: {
    status: { type: "text" },
    client: { type: "text" },
    agentId: { type: "text" },
    identityId: { type: "text", compare: "exact" },
    assetId: { type: "text" },
    userId: { type: "text" },
    team: { type: "text" },
    lastSeenAt: { type: "time" },
  },
  unique: { identity: ["identityId"] },
  indexes: [
    { where: ["status"] },
    { where: ["client"] },
    { where: ["agentId"] },
    { where: ["assetId"] },
    { where: ["userId"] },
    { where: ["team"] },
    { where: [], by: "lastSeenAt" },
  ],
  filters: {
    status: { values: statesOf(installationStatus) },
    client: { values: CLIENTS },
    agentId: { ids: "ai_asset", description: "The asset of the agent that runs there." },
    assetId: { ids: "ai_asset", description: "The asset of its identity." },
    userId: { description: "Whose place it is." },
    team: { description: "The team whose place it is." },
  },
  orders: { lastSeenAt: "lastSeenAt" },
  counted: ["status"],
  retain: true,
  search: ({ name, userId, team }) => [name, userId, team].filter((text) => text !== null).join(" "),
});

/** A code that enrols installations of one agent, without the code itself. */
export const EnrolmentCode = z
  .object({
    ...recordShape(z.enum(statesOf(enrolmentCodeStatus))),
    ...shared,
    client: ClientName.nullable().meta({ description: "The only client that it enrols; `null`: any." }),
    last4: z.string().meta({ description: "Its last four characters." }),
    maxUses: z.int().min(1).meta({ description: "How many it may enrol." }),
    uses: z.int().min(0).meta({ description: "How many it has enrolled." }),
    expiresAt: Time.meta({ description: "When it ends." }),
  })
  .meta({ id: "EnrolmentCode" });
export type EnrolmentCode = z.output<typeof EnrolmentCode>;

/** Codes that enrol installations. */
export const enrolmentCodes = defineCollection<EnrolmentCode>({
  name: "enrolment_codes",
  prefix: "enc",
  schema: EnrolmentCode,
  resource: { type: "enrolment_code", event: "installation.code", path: "/api/v1/ai/installation-codes" },
  machines: { status: enrolmentCodeStatus },
  related: ({ agentId }) => [agentId],
  fields: {
    status: { type: "text" },
    agentId: { type: "text" },
    expiresAt: { type: "time" },
    endsAt: { type: "time", of: ({ status, expiresAt }) => (status === "active" ? expiresAt : null) },
  },
  indexes: [{ where: ["status"] }, { where: ["agentId"] }, { where: [], by: "endsAt", partial: true }],
  filters: {
    status: { values: statesOf(enrolmentCodeStatus), changesAt: "endsAt" },
    agentId: { ids: "ai_asset", description: "The asset of the agent that it enrols." },
  },
  timeTransition: { by: "endsAt", machine: enrolmentCodeStatus, event: "expire", reason: "Its time was over." },
});

const InstallationKey = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** Id of the enrolment code, or of the installation whose credential it is. */
  of: z.string(),
  expiresAt: Time,
});
export type InstallationKey = z.output<typeof InstallationKey>;

/** What a keyed hash of a code or credential belongs to. Looked up without a tenant, because it tells the tenant. */
export const installationKeys = defineCollection<InstallationKey>({
  name: "installation_keys",
  prefix: null,
  scope: "platform",
  schema: InstallationKey,
  fields: { of: { type: "text" }, expiresAt: { type: "time" } },
  indexes: [{ where: ["of"] }, { where: [], by: "expiresAt" }],
});
