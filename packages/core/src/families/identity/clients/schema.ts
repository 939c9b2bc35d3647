import { z } from "zod";
import { defineCollection } from "../../../kernel/records/collection.js";
import { Time } from "../../../kernel/records/record.js";

const MachineClient = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** Permissions that its identity was given. */
  scopes: z.array(z.string()),
  /** Whether its identity is active and its asset neither suspended, rejected nor retired. */
  allowed: z.boolean(),
  /** When the identity itself runs out. */
  expiresAt: Time.nullable(),
  issuer: z.string().nullable(),
  subject: z.string().nullable(),
  /** Raised when the client's tokens must die. */
  securityVersion: z.int().min(1),
});
export type MachineClient = z.output<typeof MachineClient>;

/**
 * AI identities as principals: what signing in and authorising need to know of them, kept up to date by the family that owns
 * the identities. The id is the identity's and is the client id, so it is unique across tenants.
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
  /** At most a minute behind. */
  lastUsedAt: Time.nullable(),
  /** The credential that a rotation put in its place. */
  replacedBy: z.string().nullable(),
});
export type ClientCredential = z.output<typeof Credential>;

/** What proves a machine client. Like passwords it is no resource: no event, list or export can carry it. */
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
