import { Label } from "#families/estate/index.js";
import { office } from "#kernel/records/authority.js";
import { defineCollection } from "#kernel/records/collection.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { accessResourceStatus } from "./machine.js";

/** A thing of the target, by its type and the id that it keeps when it is renamed. */
export const ExternalReference = z.object({
  type: z.string().meta({ description: "Type, as the connector names it." }),
  externalId: z.string().meta({ description: "Id in the target." }),
});

export const MANAGED_MARKS = ["inherit", "managed", "unmanaged"] as const;

/** What people say of a resource. */
export const ResourceFields = z.object({
  ownerIds: office(
    z.array(Label).max(20).meta({ description: "Ids of the users who answer for it; none: those of its connection." }),
  ),
  managedMark: z.enum(MANAGED_MARKS).meta({
    description:
      "`unmanaged`: access to it is read and reported, and never changed. `managed`: also changed, where its connection is. `inherit`: as what it lies in.",
  }),
});

/** Something of a target that access can be granted to, as it is stored and served. */
export const AccessResource = z
  .object({
    ...recordShape(z.enum(statesOf(accessResourceStatus))),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    resourceType: z.string().meta({ description: "Type, as the connector names it." }),
    externalId: z.string().meta({ description: "Id in the target. It stays when the resource is renamed." }),
    parent: ExternalReference.nullable().meta({ description: "What it belongs to." }),
    attributes: AnyObject.meta({ description: "What the target says of it." }),
    labels: z.array(z.string()).meta({ description: "Labels that the target gives it." }),
    ...ResourceFields.shape,
    sensitivity: z
      .enum(["low", "medium", "high", "critical"])
      .nullable()
      .meta({ description: "How sensitive it is, if the target tells." }),
    fingerprint: z.string().meta({ description: "Hash of what the target says of it." }),
    previousFingerprint: z.string().nullable().meta({ description: "The hash before its last change." }),
    firstSeenAt: Time.meta({ description: "When a listing first had it." }),
    lastSeenAt: Time.meta({ description: "When a listing last had it." }),
    missingSince: Time.nullable().meta({ description: "Since when complete listings lack it." }),
    lastSyncId: z.string().meta({ description: "The sync that saw it last." }),
  })
  .meta({ id: "AccessResource" });
export type AccessResource = z.output<typeof AccessResource>;

/** Type and external id of a resource as one text. */
export const resourceSubject = (type: string, externalId: string) => JSON.stringify([type, externalId]);

/** What access can be granted to. Never removed, because assignments refer to it. */
export const accessResources = defineCollection<AccessResource>({
  name: "access_resources",
  prefix: "ars",
  schema: AccessResource,
  resource: {
    type: "access_resource",
    event: "access.resource",
    path: "/api/v1/access-resources",
    alsoAt: ["/api/v1/access-targets/{connectorInstanceId}/resources"],
    readBy: ["access:read"],
  },
  machines: { status: accessResourceStatus },
  related: ({ connectorInstanceId }) => [connectorInstanceId],
  fields: {
    connectorInstanceId: { type: "text", compare: "exact" },
    resourceType: { type: "text" },
    status: { type: "text" },
    managedMark: { type: "text" },
    name: { type: "text", compare: "caseless" },
    subject: {
      type: "text",
      compare: "exact",
      of: ({ resourceType, externalId }) => resourceSubject(resourceType, externalId),
    },
    /** For counts of all three at once. */
    standing: {
      type: "text",
      of: ({ connectorInstanceId, resourceType, status }) => `${connectorInstanceId} ${status} ${resourceType}`,
    },
  },
  unique: { subject: ["connectorInstanceId", "subject"] },
  indexes: [
    { where: ["connectorInstanceId"] },
    { where: ["connectorInstanceId"], by: "name" },
    { where: ["connectorInstanceId", "resourceType"] },
    { where: [], by: "name" },
  ],
  filters: {
    resourceType: {},
    status: { values: statesOf(accessResourceStatus) },
    managedMark: { values: MANAGED_MARKS },
  },
  orders: { name: "name" },
  counted: ["standing"],
  search: ({ name, externalId }) => `${name} ${externalId}`,
  retain: true,
});
