import { notFound } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Metadata } from "#kernel/records/generic-body.js";
import { EndTime, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Notice, notices } from "./schema.js";

const PATH = "/api/v1/me/notices";
const shared = { tag: "Notices", access: "signed-in", extension: true } as const;
/** The most notices that one request marks. */
const MOST_MARKED = 200;

export const listNotices = defineOperation({
  ...shared,
  id: "notices.list",
  method: "GET",
  path: PATH,
  summary: "List what one was told of, newest first",
  query: listQuery(notices),
  success: { status: 200, schema: pageOf(Notice) },
  handler: (ctx, { query }) => ctx.page(notices, query, { where: { userId: ctx.principal.userId } }),
});

export const readNotice = defineOperation({
  ...shared,
  id: "notices.read",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Read one notice of what concerns one",
  params: ById,
  success: { status: 200, schema: Notice },
  handler: async (ctx, { params }) => own(ctx, await ctx.getOrThrow(notices, params.id)),
});

const Reading = z
  .strictObject({
    read: z.boolean().meta({ description: "Whether it counts as read." }),
    metadata: Metadata.optional(),
  })
  .meta({ id: "NoticeReading", example: { read: true } });

export const markNotice = defineOperation({
  ...shared,
  id: "notices.mark",
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Say whether one has read a notice",
  description: "One that was read is not mailed any more. Whether somebody has read one stands in no event.",
  quiet: true,
  params: ById,
  body: Reading,
  success: { status: 200, schema: Notice },
  async handler(ctx, { params, body: { read } }) {
    const notice = own(ctx, await ctx.getForUpdate(notices, params.id));
    if (read === (notice.readAt !== null)) return notice;
    return mark(ctx, notice, read);
  },
});

const ReadingOfAll = z
  .strictObject({
    until: EndTime.meta({ description: "Notices that were given later stay unread." }),
    metadata: Metadata.optional(),
  })
  .meta({ id: "NoticesReading", example: { until: "2026-11-30T09:12:44.120Z" } });

const MarkedNotices = z
  .object({
    until: Time.meta({ description: "The moment that was asked for." }),
    marked: z.int().min(0).meta({ description: "How many were marked." }),
    more: z.boolean().meta({ description: "Whether there are more, which the next request marks." }),
  })
  .meta({ id: "MarkedNotices" });

export const markNotices = defineOperation({
  ...shared,
  id: "notices.markAll",
  method: "POST",
  path: `${PATH}/read`,
  summary: "Say that one has read every notice until a moment",
  description: `One request marks up to ${MOST_MARKED}, the newest first.`,
  quiet: true,
  body: ReadingOfAll,
  success: { status: 200, schema: MarkedNotices },
  async handler(ctx, { body: { until } }) {
    const { rows, next } = await ctx.db.find(notices, {
      where: { userId: ctx.principal.userId, unread: true },
      order: { by: "createdAt", direction: "desc" },
      range: { through: until },
      size: MOST_MARKED,
    });
    for (const { value } of rows) await mark(ctx, value, true);
    return { until, marked: rows.length, more: next !== undefined };
  },
});

const mark = (ctx: Context, notice: Notice, read: boolean): Promise<Notice> =>
  ctx.update(notices, notice, read ? { readAt: ctx.now, mailAt: null } : { readAt: null }, { event: false });

/** 404 for a notice of somebody else. */
function own(ctx: ReadContext, notice: Notice): Notice {
  if (notice.userId !== ctx.principal.userId) throw notFound();
  return notice;
}
