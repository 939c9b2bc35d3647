import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

export const SUBJECT_TYPES = ["everyone", "role", "user", "ai_identity"] as const;

/** Who an application is assigned to. A team is a role of the host. */
export const Subject = z
  .strictObject({
    subjectType: z
      .enum(SUBJECT_TYPES)
      .meta({ description: "Everyone of the tenant, a role (or team), or one of them." }),
    subjectId: z.string().min(1).max(100).nullable().default(null).meta({
      description: "Name of the role, or id of the user or AI identity; `null` for everyone.",
    }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({ id: "SamlAssignmentRequest", example: { subjectType: "role", subjectId: "member" } });

export const Assignment = z
  .object({
    id: z.string().meta({ description: "The unique id of the record." }),
    version: z.int().min(1).meta({ description: "The version, which is always 1." }),
    createdAt: Time.meta({ description: "When it was made." }),
    createdBy: z.string().meta({ description: "Id of who made it." }),
    appId: z.string().meta({ description: "Id of the application." }),
    subjectType: Subject.shape.subjectType,
    subjectId: z.string().nullable().meta({ description: "Whom; `null` for everyone." }),
  })
  .meta({ id: "SamlAssignment" });
export type Assignment = z.output<typeof Assignment>;

const subjectOf = ({ subjectType, subjectId }: Pick<Assignment, "subjectType" | "subjectId">) =>
  subjectId === null ? subjectType : `${subjectType}:${subjectId}`;

/** Who signs on to which application. */
export const samlAssignments = defineCollection<Assignment>({
  name: "saml_assignments",
  prefix: "sapa",
  schema: Assignment,
  resource: {
    type: "saml_assignment",
    event: "saml.assignment",
    path: "/api/v1/saml-assignments",
    readBy: ["saml-app:read"],
    alsoAt: ["/api/v1/saml-apps/{appInstanceId}/assignments"],
  },
  fields: {
    appId: { type: "text", compare: "exact" },
    subject: { type: "text", compare: "exact", of: subjectOf },
  },
  unique: { subject: ["appId", "subject"] },
  indexes: [{ where: ["appId"] }, { where: ["subject"] }],
  related: ({ appId }) => [appId],
});
