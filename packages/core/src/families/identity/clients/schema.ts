import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const MachineClient = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** The scopes of its identity. */
  scopes: z.array(z.string()),
  /** Whether its identity is active and its asset neither suspended, rejected nor retired. */
  allowed: z.boolean(),
  /** When the identity's credential expires. */
  expiresAt: Time.nullable(),
  issuer: z.string().nullable(),
  subject: z.string().nullable(),
  /** Raised to revoke all tokens of the client. */
  securityVersion: z.int().min(1),
});
export type MachineClient = z.output<typeof MachineClient>;

/**
 * AI identities as principals, for sign-in and authorisation. The area that owns the identities keeps them up to date.
 * The id is the identity's id and the client id, so it is unique across tenants.
 */
export const machineClients = defineCollection<MachineClient>({
  name: "machine_clients",
  prefix: null,
  broadcast: true,
  scope: "platform",
  schema: MachineClient,
  fields: { issuer: { type: "text" }, subject: { type: "text" } },
  indexes: [{ where: ["issuer", "subject"] }],
  secrets: [],
});

const Credential = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  createdBy: z.string(),
  identityId: z.string(),
  name: z.string(),
  /** SHA-256 of the secret, lower-case hex; `null` when the credential is a key. */
  secretHash: z.string().nullable(),
  publicJwk: z.record(z.string(), z.string()).nullable(),
  expiresAt: Time,
  /** Up to one minute late. */
  lastUsedAt: Time.nullable(),
  /** Id of the credential that a rotation replaced it with. */
  replacedBy: z.string().nullable(),
});
export type ClientCredential = z.output<typeof Credential>;

/** Credentials of machine clients. Like passwords they are no resource, so no event, list or export contains them. */
export const clientCredentials = defineCollection<ClientCredential>({
  name: "client_credentials",
  prefix: "crd",
  schema: Credential,
  fields: { identityId: { type: "text" }, expiresAt: { type: "time" } },
  indexes: [{ where: ["identityId"] }, { where: [], by: "expiresAt" }],
  filters: { identityId: {} },
  orders: { expiresAt: "expiresAt" },
  secrets: ["secretHash"],
});
