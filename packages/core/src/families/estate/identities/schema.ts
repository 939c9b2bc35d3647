import { claim, foreign, related, SAYERS } from "#kernel/records/authority.js";
import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { EndTime, StartTime, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Label } from "../assets/fields.js";
import { joined, recordText } from "../records/declare/columns.js";
import { joinedShape } from "../records/declare/kind.js";
import { HttpUrl } from "../records/fields.js";
import { identityStatus } from "./machine.js";

/** Kinds of AI identities. */
export const IDENTITY_KINDS = [
  "service_principal",
  "managed",
  "workload",
  "api_key",
  "oauth_client",
  "user_delegated",
] as const;

const Reference = z.string().min(1).max(500);
const distinct = (items: readonly string[]) => new Set(items).size === items.length;

/** Who says which workload acts as an identity, and with which rights. A connected system never does. */
const BEARERS = ["caller", "import"] as const;

const Registration = z.strictObject({
  issuer: HttpUrl.meta({ description: "Issuer of the authorization server." }),
  clientId: Reference.meta({ description: "Its client id there.", example: "ticket-triage" }),
});

/** What a caller may set, at the top level of the body or in `configuration`. */
export const IdentityFields = z.object({
  kind: claim(z.enum(IDENTITY_KINDS).meta({ description: "What kind of identity." }), ...SAYERS),
  issuer: claim(
    Reference.nullable().meta({ description: "Who issues its tokens; unique together with `subject`." }),
    ...BEARERS,
  ),
  subject: claim(Reference.nullable().meta({ description: "Its name at the issuer." }), ...BEARERS),
  blueprintRef: foreign(Reference.nullable().meta({ description: "The template it was made from." })),
  agentIds: related(
    z
      .array(Label)
      .max(100)
      .refine(distinct, "An agent appears twice.")
      .meta({ description: "Assets of type `agent` that run as this identity. Who answers for an agent says so." }),
    "ai_agent",
    "caller",
  ),
  scopes: claim(
    z
      .array(z.string().max(100))
      .max(100)
      .refine(distinct, "A scope appears twice.")
      .meta({ description: "Permissions it has here. Only those that machines may hold." }),
    ...BEARERS,
  ),
  registrations: claim(
    z
      .array(Registration)
      .max(100)
      .refine((all) => distinct(all.map(({ issuer }) => issuer)), "An issuer appears twice.")
      .meta({ description: "Its client ids at the authorization servers of others, for identity assertions." }),
    ...BEARERS,
  ),
  privileged: claim(z.boolean().meta({ description: "Has far-reaching rights elsewhere." }), ...SAYERS),
  credentialRef: claim(
    Reference.nullable().meta({
      description:
        "The credential that counts: the id of one issued here, or where another system keeps it. Never a secret.",
    }),
    ...BEARERS,
  ),
  credentialIssuedAt: claim(StartTime.nullable().meta({ description: "When its credential was issued." }), ...SAYERS),
  credentialExpiresAt: claim(
    EndTime.nullable().meta({ description: "From then on an active identity reads `expired`." }),
    ...SAYERS,
  ),
  lastUsedAt: claim(
    Time.nullable().meta({
      description: "As connectors and imports report; credentials issued here have their own.",
    }),
    "connector",
    "import",
  ),
});
export type IdentityFields = z.output<typeof IdentityFields>;

export const IDENTITY_DEFAULTS: IdentityFields = {
  kind: "service_principal",
  issuer: null,
  subject: null,
  blueprintRef: null,
  agentIds: [],
  scopes: [],
  registrations: [],
  privileged: false,
  credentialRef: null,
  credentialIssuedAt: null,
  credentialExpiresAt: null,
  lastUsedAt: null,
};

/** An AI identity as it is stored and served. */
export const Identity = z
  .object({ ...joinedShape(z.enum(statesOf(identityStatus))), ...IdentityFields.shape })
  .meta({ id: "AiIdentity" });
export type Identity = z.output<typeof Identity>;

/** AI identities: one per asset of type `identity`, and one per issuer and subject where both are known. */
export const identities = defineCollection<Identity>({
  name: "ai_identities",
  prefix: "idn",
  schema: Identity,
  resource: { type: "ai_identity", event: "identity", path: "/api/v1/ai/identities" },
  related: ({ assetId }) => [assetId],
  otherSide: ({ assetId }) => assetId,
  machines: { status: identityStatus },
  fields: {
    ...joined.fields,
    kind: { type: "text" },
    agentIds: { type: "texts" },
    scopes: { type: "texts" },
    privileged: { type: "boolean" },
    lastUsedAt: { type: "time" },
    issuer: { type: "text", compare: "exact" },
    subject: { type: "text", compare: "exact" },
    /** When an active identity expires. `null` in other states. */
    expiresAt: {
      type: "time",
      of: ({ status, credentialExpiresAt }) => (status === "active" ? credentialExpiresAt : null),
    },
  },
  unique: { asset: ["assetId"], subject: ["issuer", "subject"] },
  indexes: [...joined.indexes, { where: [], by: "expiresAt" }, { where: [], by: "lastUsedAt" }],
  filters: {
    status: { values: statesOf(identityStatus), changesAt: "expiresAt" },
    kind: { values: IDENTITY_KINDS },
    issuer: {},
    agentId: { field: "agentIds", ids: "ai_asset", description: "An agent that runs as it." },
    scope: { field: "scopes", description: "A permission that it has here." },
    privileged: { type: "boolean" },
    ...joined.filters,
  },
  orders: { ...joined.orders, expiresAt: "expiresAt", lastUsedAt: "lastUsedAt" },
  counted: ["status", "governanceState"],
  search: (identity) => recordText(identity, identity.issuer, identity.subject),
  retain: true,
  ...joined.approval,
  timeTransition: {
    by: "expiresAt",
    machine: identityStatus,
    event: "expire",
    reason: "The credentials have run out.",
  },
});
