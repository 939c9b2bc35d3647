import { defineCollection } from "#kernel/records/collection.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { PreferenceFields } from "./fields.js";

/** How one person wants to be told. */
export const NoticePreferences = z
  .object({
    id: z.string().meta({ description: "Id of the person." }),
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    updatedAt: Time.meta({ description: "When they last changed." }),
    ...PreferenceFields,
  })
  .meta({ id: "NoticePreferences" });
export type NoticePreferences = z.output<typeof NoticePreferences>;

/** How people want to be told. The id is the user's. */
export const noticePreferences = defineCollection<NoticePreferences>({
  name: "notice_preferences",
  prefix: null,
  schema: NoticePreferences,
  // What people want to hear of is their own affair.
  resource: {
    type: "notice_preferences",
    event: "notice_preferences",
    path: "/api/v1/me/notice-preferences",
    readBy: [],
  },
  fields: {},
});
