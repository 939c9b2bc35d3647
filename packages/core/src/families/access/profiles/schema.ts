import { PRINCIPAL_TYPES } from "#connectors/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Duration } from "#kernel/records/duration.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { accessProfileStatus } from "./machine.js";

export const EFFECTS = ["read", "write", "destructive", "admin"] as const;
export const RISK_LEVELS = ["low", "medium", "high", "critical"] as const;

/** What somebody decides about a profile when they approve it. */
export const ProfileTerms = z.object({
  requestable: z.boolean().meta({ description: "Whether it can be requested." }),
  riskLevel: z.enum(RISK_LEVELS).meta({ description: "How much harm it can do." }),
  maxDuration: Duration.meta({ description: "How long one grant of it lasts at most, such as `P30D`." }),
  allowPermanent: z.boolean().meta({ description: "Whether it may be granted without an end." }),
  requireReason: z.boolean().meta({ description: "Whether a request says why." }),
});
export type ProfileTerms = z.output<typeof ProfileTerms>;

/** A kind of access to a resource, or to each of a type, as it is stored and served. */
export const AccessProfile = z
  .object({
    ...recordShape(z.enum(statesOf(accessProfileStatus))),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    resourceType: z.string().meta({ description: "Type of the resources that it is for." }),
    resourceId: z
      .string()
      .nullable()
      .meta({ description: "The one resource that it is for; `null`: each of the type." }),
    externalId: z.string().meta({ description: "Id in the target." }),
    description: z.string().nullable().meta({ description: "What the target says of it." }),
    permissions: z.array(z.string()).meta({ description: "What it permits, as the target names it; sorted." }),
    toolNames: z.array(z.string()).meta({ description: "Tools that it opens to agents." }),
    effect: z.enum(EFFECTS).meta({ description: "The most that it lets somebody do." }),
    privilegeLevel: z
      .int()
      .min(0)
      .max(4)
      .meta({ description: "From 0 for none to 4 for administration of everything." }),
    grantableTo: z.array(z.enum(PRINCIPAL_TYPES)).meta({ description: "Who can have it; nobody when empty." }),
    exclusionGroup: z
      .string()
      .nullable()
      .meta({ description: "A principal has one profile of a group on a resource." }),
    parametersSchema: AnyObject.nullable().meta({ description: "JSON Schema of the parameters of a grant." }),
    ...ProfileTerms.shape,
    definitionHash: z.string().meta({ description: "Hash of what it permits now." }),
    approvedHash: z.string().nullable().meta({ description: "The hash that was approved last." }),
    curatedBy: z.string().nullable().meta({ description: "Id of who approved or disabled it last." }),
    curatedAt: Time.nullable().meta({ description: "The time when somebody last curated it." }),
    lastSeenAt: Time.meta({ description: "When a listing last had it." }),
    lastSyncId: z.string().meta({ description: "The sync that saw it last." }),
  })
  .meta({ id: "AccessProfile" });
export type AccessProfile = z.output<typeof AccessProfile>;

/** What a profile is about as one text. */
export const profileSubject = (resourceType: string, resourceId: string | null, externalId: string) =>
  JSON.stringify([resourceType, resourceId, externalId]);

/** Kinds of access. Never removed, because assignments refer to them. */
export const accessProfiles = defineCollection<AccessProfile>({
  name: "access_profiles",
  prefix: "apf",
  schema: AccessProfile,
  resource: { type: "access_profile", event: "access.profile", path: "/api/v1/access-profiles" },
  machines: { status: accessProfileStatus },
  related: ({ connectorInstanceId }) => [connectorInstanceId],
  fields: {
    connectorInstanceId: { type: "text", compare: "exact" },
    resourceType: { type: "text" },
    resourceId: { type: "text" },
    status: { type: "text" },
    riskLevel: { type: "text" },
    name: { type: "text", compare: "caseless" },
    subject: {
      type: "text",
      compare: "exact",
      of: ({ resourceType, resourceId, externalId }) => profileSubject(resourceType, resourceId, externalId),
    },
  },
  unique: { subject: ["connectorInstanceId", "subject"] },
  indexes: [
    { where: ["connectorInstanceId"] },
    { where: ["connectorInstanceId"], by: "name" },
    { where: ["connectorInstanceId", "resourceType"] },
    { where: ["resourceId"] },
    { where: [], by: "name" },
  ],
  filters: {
    resourceType: {},
    resourceId: { orNone: true, description: "Id of a resource: its own, and those for each of its type." },
    status: { values: statesOf(accessProfileStatus) },
    riskLevel: { values: RISK_LEVELS },
  },
  orders: { name: "name" },
  search: ({ name, externalId }) => `${name} ${externalId}`,
  retain: true,
});
