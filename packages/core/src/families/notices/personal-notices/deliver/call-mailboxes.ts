import type { Context } from "#kernel/operation/context.js";
import { type Notice, noticeMailboxes } from "../schema.js";

/** Has people be mailed by the time that their notices say. */
export async function callMailboxes(ctx: Context, told: readonly Pick<Notice, "userId" | "mailAt">[]): Promise<void> {
  const first = new Map<string, string>();
  for (const { userId, mailAt } of told)
    if (mailAt !== null && mailAt < (first.get(userId) ?? "~")) first.set(userId, mailAt);
  const held = new Map((await ctx.db.getMany(noticeMailboxes, [...first.keys()])).map(({ id, value }) => [id, value]));
  for (const [id, dueAt] of first) {
    const box = held.get(id);
    if (!box) await ctx.insert(noticeMailboxes, { id, dueAt, leasedUntil: null, failures: 0, failingSince: null });
    // Whoever mails looks for more before the lease ends, and a failure keeps its pause.
    else if (box.leasedUntil === null && box.failures === 0 && (box.dueAt ?? "~") > dueAt)
      await ctx.update(noticeMailboxes, box, { dueAt });
  }
}
