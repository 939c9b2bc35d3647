import type { ReadContext } from "#kernel/operation/read-context.js";
import { PREFERENCE_DEFAULTS } from "./fields.js";
import { type NoticePreferences, noticePreferences } from "./schema.js";

/** What a person has said, or the defaults. */
export type Told = Pick<NoticePreferences, keyof typeof PREFERENCE_DEFAULTS>;

/** How these people want to be told, in one read. */
export async function preferencesOf(
  { db }: ReadContext,
  userIds: readonly string[],
): Promise<(userId: string) => Told> {
  const rows = await db.getMany(noticePreferences, [...new Set(userIds)]);
  const own = new Map(rows.map(({ id, value }) => [id, value] as const));
  return (userId) => own.get(userId) ?? PREFERENCE_DEFAULTS;
}
