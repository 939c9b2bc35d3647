import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { ApplicationFields } from "../saml-apps/fields.js";
import { samlAppStatus } from "../saml-apps/machine.js";
import type { SamlApp } from "../saml-apps/schema.js";

const HiddenApp = z.object({
  /** Ids of user and application. */
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  userId: z.string(),
});
export type HiddenApp = z.output<typeof HiddenApp>;

/** Applications that somebody has removed from their own. */
export const hiddenApps = defineCollection<HiddenApp>({
  name: "hidden_apps",
  prefix: null,
  schema: HiddenApp,
  fields: { userId: { type: "text" } },
  indexes: [{ where: ["userId"] }],
  secrets: [],
});

export const hiddenId = (userId: string, appId: string): string => `${userId}.${appId}`;

/** An application as those see it who use it. */
export const Application = z
  .object({ ...recordShape(z.enum(statesOf(samlAppStatus))), ...ApplicationFields.shape })
  .meta({ id: "Application" });

export function applicationOf(app: SamlApp): z.output<typeof Application> {
  const { id, name, status, version, metadata, createdAt, createdBy, updatedAt, updatedBy } = app;
  const { description, category, iconUrl, launchUrl, visible } = app;
  const record = { id, name, status, version, metadata, createdAt, createdBy, updatedAt, updatedBy };
  return { ...record, description, category, iconUrl, launchUrl, visible };
}
