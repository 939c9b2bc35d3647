import { type Connector, CREDENTIAL_TYPES, PRINCIPAL_TYPES } from "@reeve/core/connectors";
import { z } from "zod";

const text = z.string().min(1).max(1_000);
const ref = z.object({ type: text, externalId: text });
const principal = z.object({ type: z.enum(PRINCIPAL_TYPES), externalId: text, displayName: z.string().optional() });
const json = z.record(z.string(), z.json());

/** The form of what each listing holds, by the method. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  discoverAssets: z.object({
    externalId: text,
    assetType: text,
    name: text,
    metadata: json.optional(),
    record: json.optional(),
    found: z.array(z.object({ location: text })).optional(),
  }),
  listResources: z.object({
    type: text,
    externalId: text,
    name: text,
    parent: ref.optional(),
    attributes: json.optional(),
  }),
  listAccessProfiles: z.object({
    externalId: text,
    resourceType: text,
    resource: ref.optional(),
    name: text,
    permissions: z.array(z.string()),
    privilegeLevel: z.number().int().min(0).max(4),
    grantableTo: z.array(z.enum(PRINCIPAL_TYPES)),
  }),
  listGrants: z.object({
    resource: ref,
    profileExternalId: text,
    principal,
    expiresAt: z.date().nullish(),
    source: z.enum(["direct", "inherited"]),
  }),
  listUsage: z.object({
    externalEventId: text,
    at: z.date(),
    principal,
    action: text,
    count: z.number().int().min(1).optional(),
  }),
  listCredentials: z.object({
    externalId: text,
    principal,
    type: z.enum(CREDENTIAL_TYPES),
    name: text.optional(),
    createdAt: z.date().nullish(),
    expiresAt: z.date().nullish(),
  }),
};

/** What is wrong with an item of a listing, in sentences. */
export function shapeMistakes(connector: Connector, listing: string, item: unknown): readonly string[] {
  const [method = "", type] = listing.split(" of ");
  const { error } = (SHAPES[method] as z.ZodType).safeParse(item);
  if (error) return error.issues.map(({ path, message }) => `${listing}: ${path.join(".")}: ${message}`);
  const { type: own, resourceType, resource } = item as Readonly<Record<string, unknown>>;
  const given = method === "listResources" ? own : method === "listAccessProfiles" ? resourceType : type;
  if (given !== type) return [`${listing}: an item is of ${given}`];
  const types = (connector.manifest.resourceTypes ?? []).map((known) => known.type);
  const about = (resource as { type: string } | undefined)?.type;
  return about === undefined || types.includes(about) ? [] : [`${listing}: ${about} is no type of the manifest`];
}
