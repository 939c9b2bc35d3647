import { type AccessAssignment, accessAssignments } from "#families/access-grants/index.js";
import { cursorScope, DEFAULT_SIZE, readWindow, sealCursor } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { FindQuery } from "#store/find-query.js";

/** A page of the order of a time field, as its assignments are at this moment. */
export async function pageByTime(
  ctx: ReadContext,
  list: { readonly name: string; readonly by: "endsAt" | "idleSince"; readonly days: number },
  range: NonNullable<FindQuery["range"]>,
  query: { readonly size?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ readonly rows: AccessAssignment[]; readonly size: number; readonly nextCursor: string | null }> {
  const { name, by, days } = list;
  const scope = cursorScope(ctx.db.tenantId, name, { days });
  const { secretBox } = ctx.env;
  const { nowMs } = ctx.request;
  const asked = { size: query.size ?? DEFAULT_SIZE, ...(query.cursor === undefined ? {} : { cursor: query.cursor }) };
  const { size, after, page } = readWindow(asked, scope, secretBox, nowMs);
  const order = { by, direction: "asc" } as const;
  const found = await ctx.db.find(accessAssignments, { order, range, size, ...(after ? { after } : {}) });
  const rows = found.rows.map((row) => ctx.derived(accessAssignments, row));
  return { rows, size, nextCursor: sealCursor(found.next, page, scope, secretBox, nowMs) };
}
