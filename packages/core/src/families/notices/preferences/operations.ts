import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Metadata } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { PREFERENCE_DEFAULTS, PreferenceFields } from "./fields.js";
import { type NoticePreferences, noticePreferences } from "./schema.js";

const PATH = "/api/v1/me/notice-preferences";
const shared = { tag: "Notices", path: PATH, access: "signed-in", extension: true } as const;

const Shown = z
  .object({
    ...PreferenceFields,
    changedAt: z.iso.datetime().nullable().meta({ description: "When they last changed; `null`: these are defaults." }),
  })
  .meta({ id: "NoticePreferencesState" });

const Given = z
  .strictObject({
    language: PreferenceFields.language.optional(),
    timeZone: PreferenceFields.timeZone.optional(),
    digestHour: PreferenceFields.digestHour.optional(),
    workingHours: PreferenceFields.workingHours.optional(),
    mail: PreferenceFields.mail.partial().optional().meta({ description: "How kinds of notices are mailed." }),
    metadata: Metadata.optional(),
  })
  .meta({
    id: "NoticePreferencesRequest",
    example: { language: "de", timeZone: "Europe/Berlin", digestHour: 8, mail: { waiting: "daily" } },
  });

export const readPreferences = defineOperation({
  ...shared,
  id: "noticePreferences.read",
  method: "GET",
  summary: "Read how one is told of what concerns one",
  success: { status: 200, schema: Shown },
  handler: async (ctx) => shown((await held(ctx)) ?? PREFERENCE_DEFAULTS),
});

export const putPreferences = defineOperation({
  ...shared,
  id: "noticePreferences.put",
  method: "PUT",
  summary: "Say how one is told of what concerns one",
  description:
    "What is left out is as by default. It counts for the notices from then on; what is turned off is not mailed any more.",
  body: Given,
  success: { status: 200, schema: Shown },
  async handler(ctx, { body: { metadata: _metadata, ...given } }) {
    const next = { ...PREFERENCE_DEFAULTS, ...given, mail: { ...PREFERENCE_DEFAULTS.mail, ...given.mail } };
    const before = await held(ctx);
    if (before) return shown(await ctx.update(noticePreferences, before, next));
    return shown(await ctx.insert(noticePreferences, { id: ctx.principal.userId, ...next }));
  },
});

const held = async ({ db, principal }: ReadContext): Promise<NoticePreferences | undefined> =>
  (await db.get(noticePreferences, principal.userId))?.value;

function shown({
  language,
  timeZone,
  digestHour,
  workingHours,
  mail,
  ...rest
}: typeof PREFERENCE_DEFAULTS | NoticePreferences): z.output<typeof Shown> {
  const changedAt = "updatedAt" in rest ? rest.updatedAt : null;
  return { language, timeZone, digestHour, workingHours, mail, changedAt };
}
