import { defineCollection } from "#kernel/records/collection.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { KINDS, Kind } from "./fields.js";

export const NOTICE_STATES = ["open", "over"] as const;

/** What one person was told of one matter. */
export const Notice = z
  .object({
    id: recordFields.id,
    version: recordFields.version,
    createdAt: Time.meta({ description: "When the person was told here." }),
    userId: z.string().meta({ description: "Id of the person." }),
    kind: Kind,
    key: z.string().meta({ description: "Tells the matter from others of this kind." }),
    status: z.enum(NOTICE_STATES).meta({
      description: "`over` once it was decided or has ended, or is no longer this person's.",
    }),
    name: z.string().meta({ description: "What it is about, in words." }),
    matter: z.string().nullable().meta({ description: "The kind of review that waits; `null`: none does." }),
    subject: z
      .object({
        type: z.string().meta({ description: "Type of the record." }),
        id: z.string().meta({ description: "Id of the record." }),
        path: z.string().meta({ description: "Path of the record in the API." }),
      })
      .meta({ description: "The record that it is about." }),
    assetId: z.string().nullable().meta({ description: "The asset that it is about." }),
    page: z.string().meta({ description: "Where the console shows the matter, from its base on." }),
    dueAt: Time.nullable().meta({ description: "When the matter is due or ends." }),
    onBehalfOf: z.string().nullable().meta({ description: "Id of the person for whom this one stands in." }),
    readAt: Time.nullable().meta({ description: "When the person has read it here." }),
    overAt: Time.nullable().meta({ description: "Since when it is over." }),
    mailAt: Time.nullable().meta({ description: "When it is to be mailed; `null`: it is not." }),
    mailedAt: Time.nullable().meta({ description: "When the mailer took it." }),
  })
  .meta({ id: "Notice" });
export type Notice = z.output<typeof Notice>;

/** Notices to people, each of one matter to one person. */
export const notices = defineCollection<Notice>({
  name: "notices",
  prefix: "ntc",
  schema: Notice,
  fields: {
    userId: { type: "text", compare: "exact" },
    kind: { type: "text", compare: "exact" },
    key: { type: "text", compare: "exact" },
    status: { type: "text" },
    subjectId: { type: "text", compare: "exact", of: ({ subject }) => subject.id },
    unread: { type: "boolean", of: ({ readAt }) => readAt === null },
    mailAt: { type: "time" },
  },
  unique: { matter: ["userId", "kind", "key"] },
  indexes: [
    { where: ["userId"] },
    { where: ["userId", "unread"] },
    { where: ["subjectId"] },
    { where: ["userId"], by: "mailAt", partial: true },
  ],
  filters: {
    kind: { values: KINDS },
    status: { values: NOTICE_STATES },
    unread: { type: "boolean", description: "Only those that were not read, or only those that were." },
  },
});

const NoticeMailbox = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** When there is something to mail. */
  dueAt: Time.nullable(),
  /** Until when a process mails. */
  leasedUntil: Time.nullable(),
  failures: z.int().min(0),
  failingSince: Time.nullable(),
});
export type NoticeMailbox = z.output<typeof NoticeMailbox>;

/** When each person is to be mailed next. The id is the user's. One process at a time mails to one person. */
export const noticeMailboxes = defineCollection<NoticeMailbox>({
  name: "notice_mailboxes",
  prefix: null,
  schema: NoticeMailbox,
  fields: { dueAt: { type: "time" } },
  indexes: [{ where: [], by: "dueAt", partial: true }],
  secrets: [],
});

const NoticeProgress = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** People were told of every event up to this sequence. */
  position: z.int().min(0),
  /** Owners were told of every approval that ends before this moment. */
  endingsBefore: Time,
  /** What began to wait before this moment was escalated, as far as it still waited. */
  escalatedBefore: Time,
});
export type NoticeProgress = z.output<typeof NoticeProgress>;

/** How far a tenant's notices are. The id is the tenant's. */
export const noticeProgress = defineCollection<NoticeProgress>({
  name: "notice_progress",
  prefix: null,
  schema: NoticeProgress,
  fields: {},
  secrets: [],
});
