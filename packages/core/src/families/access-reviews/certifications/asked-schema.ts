import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const AskedPanel = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  certificationId: z.string(),
  panelId: z.string(),
  /** When the stage ends in which they are asked. */
  dueAt: Time.nullable(),
});

/** The panels that have items of a campaign to decide. */
export const askedPanels = defineCollection<z.output<typeof AskedPanel>>({
  name: "access_asked_panels",
  prefix: "apn",
  schema: AskedPanel,
  fields: { certificationId: { type: "text", compare: "exact" }, panelId: { type: "text", compare: "exact" } },
  unique: { panel: ["certificationId", "panelId"] },
  secrets: [],
});

const AskedReviewer = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  certificationId: z.string(),
  userId: z.string(),
  /** What the campaign is called. */
  name: z.string(),
  ownerId: z.string(),
  dueAt: Time.nullable(),
});
export type AskedReviewer = z.output<typeof AskedReviewer>;

/** People who have items of a campaign to decide, in whatever panels. */
export const askedReviewers = defineCollection<AskedReviewer>({
  name: "access_asked_reviewers",
  prefix: "arv",
  schema: AskedReviewer,
  fields: { certificationId: { type: "text", compare: "exact" }, userId: { type: "text", compare: "exact" } },
  unique: { person: ["certificationId", "userId"] },
  secrets: [],
});
