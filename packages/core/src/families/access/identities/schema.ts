import { CREDENTIAL_TYPES, PRINCIPAL_TYPES } from "#connectors/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** Who has access in a target. */
export const AccessPrincipal = z.object({
  type: z.enum(PRINCIPAL_TYPES).meta({ description: "What kind of principal." }),
  externalId: z.string().min(1).max(500).meta({ description: "Id in the target." }),
  displayName: z.string().max(200).nullable().meta({ description: "Name in the target." }),
});
export type AccessPrincipal = z.output<typeof AccessPrincipal>;

const KnownCredential = z.object({
  externalId: z.string().meta({ description: "Id in the target, or fingerprint." }),
  type: z.enum(CREDENTIAL_TYPES).meta({ description: "What kind of credential." }),
});

/** What the target said of a principal when it was declared. */
export const PrincipalLookUp = z.object({
  outcome: z
    .enum(["found", "unknown"])
    .meta({ description: "`found`: the target has shown it. `unknown`: it stands as it was declared." }),
  reason: z.enum(["unsupported", "not_reached", "not_reported"]).nullable().meta({
    description:
      "Why it is unknown: the connector cannot look, the target could not be asked, or it does not tell. `null` when it was found.",
  }),
  at: Time.meta({ description: "When it was looked for." }),
});
export type PrincipalLookUp = z.output<typeof PrincipalLookUp>;

/** What an asset acts as in a target, as it is stored. */
export const AccessIdentity = z
  .object({
    ...recordFields,
    assetId: z.string().meta({ description: "The asset that acts." }),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    principal: AccessPrincipal.meta({ description: "What it acts as there." }),
    lookUp: PrincipalLookUp.meta({ description: "Whether the target has shown that there is such a principal." }),
    binding: z.enum(["declared", "discovered"]).meta({ description: "How it is known." }),
    knownCredentials: z
      .object({
        since: Time.meta({ description: "When a scan saw them first." }),
        credentials: z.array(KnownCredential).meta({ description: "What was there then." }),
      })
      .nullable()
      .meta({
        description: "Credentials of the first scan that listed them; any other is drift. `null`: no scan did.",
      }),
  })
  .meta({ id: "AccessIdentity" });
export type AccessIdentity = z.output<typeof AccessIdentity>;

export const principalSubject = ({ type, externalId }: Pick<AccessPrincipal, "type" | "externalId">) =>
  JSON.stringify([type, externalId]);

/** A principal of a target as one text, whoever acts as it. */
export const sharedKey = (one: { readonly connectorInstanceId: string; readonly principal: AccessPrincipal }) =>
  `${one.connectorInstanceId} ${principalSubject(one.principal)}`;

/** What assets act as in targets. Several may act as one principal. */
export const accessIdentities = defineCollection<AccessIdentity>({
  name: "access_identities",
  prefix: "aid",
  schema: AccessIdentity,
  resource: {
    type: "access_identity",
    event: "access.identity",
    path: "/api/v1/access-identities",
    alsoAt: ["/api/v1/ai-assets/{assetId}/access-identities"],
    readBy: ["access:read"],
  },
  related: ({ assetId, connectorInstanceId }) => [assetId, connectorInstanceId],
  taken: { principal: "The asset acts as this principal already." },
  fields: {
    assetId: { type: "text", compare: "exact" },
    connectorInstanceId: { type: "text", compare: "exact" },
    subject: { type: "text", compare: "exact", of: ({ principal }) => principalSubject(principal) },
    /** The principal itself, whoever acts as it. */
    shared: {
      type: "text",
      of: sharedKey,
    },
  },
  unique: { principal: ["assetId", "connectorInstanceId", "subject"] },
  indexes: [{ where: ["assetId"] }, { where: ["connectorInstanceId"] }, { where: ["shared"] }],
  filters: { connectorInstanceId: {} },
});
