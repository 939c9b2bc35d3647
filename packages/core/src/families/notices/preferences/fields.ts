import { z } from "#schema/z.js";
import { KINDS, NOTICE_KINDS, type NoticeKind } from "../personal-notices/fields.js";
import { isTimeZone } from "./local-time.js";

/** The languages that notices are written in. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

export const MODES = ["off", "at_once", "daily"] as const;
export type Mode = (typeof MODES)[number];

const mode = (kind: NoticeKind) => z.enum(MODES).meta({ description: NOTICE_KINDS[kind] });

/** How each kind is mailed unless the person says otherwise. */
export const MAIL_DEFAULTS: Readonly<Record<NoticeKind, Mode>> = {
  waiting: "at_once",
  overdue: "at_once",
  escalated: "at_once",
  asset_found: "daily",
  asset_suspended: "at_once",
  approval_ending: "daily",
  critical_finding: "at_once",
  access_drift: "daily",
  server_changed: "daily",
  halt: "at_once",
};

const Hour = z.int().min(0).max(23);

const WorkingHours = z.strictObject({
  days: z
    .array(z.int().min(1).max(7))
    .min(1)
    .max(7)
    .refine((days) => new Set(days).size === days.length, "A day appears twice.")
    .meta({ description: "Days of the week, from 1 for Monday to 7 for Sunday.", example: [1, 2, 3, 4, 5] }),
  from: Hour.meta({ description: "The hour at which they begin." }),
  to: z.int().min(1).max(24).meta({ description: "The hour at which they end." }),
});

/** How a person wants to be told. */
export const PreferenceFields = {
  language: z.enum(LANGUAGES).meta({ description: "The language of mails." }),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, "There is no time zone of this name.")
    .meta({ description: "Name of the time zone, by the IANA database.", example: "Europe/Berlin" }),
  digestHour: Hour.meta({ description: "The hour of the day, there, at which daily mails are sent." }),
  workingHours: WorkingHours.nullable()
    .refine((hours) => hours === null || hours.from < hours.to, "They end before they begin.")
    .meta({
      description:
        "When mails are sent, there; `null`: at any time. Critical findings and emergency stops do not wait for them.",
    }),
  mail: z
    .strictObject(
      Object.fromEntries(KINDS.map((kind) => [kind, mode(kind)])) as Record<NoticeKind, ReturnType<typeof mode>>,
    )
    .meta({ description: "How each kind of notice is mailed." }),
};

export const PREFERENCE_DEFAULTS = {
  language: "en",
  timeZone: "UTC",
  digestHour: 8,
  workingHours: null,
  mail: MAIL_DEFAULTS,
} as const;
