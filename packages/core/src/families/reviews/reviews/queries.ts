import { visibilityOf } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { PageQuery } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Page } from "#kernel/records/outcome.js";
import { REVIEW_KIND_TABLE } from "./review-kinds.js";
import { assignedTo, openTo, type Review, type ReviewKindName, reviews } from "./schema.js";

const UNDECIDED: readonly Review["status"][] = ["waiting", "overdue"];

/** What somebody must hold to decide anything that waits. */
const DECIDES = [...new Set(REVIEW_KIND_TABLE.map(({ decides }) => decides))];

interface ReviewQuery extends PageQuery {
  readonly kind?: readonly ReviewKindName[] | undefined;
  readonly status?: readonly Review["status"][] | undefined;
  readonly mine?: boolean | undefined;
}

/** The kinds of review that the caller may see. */
function visibleKinds(ctx: ReadContext): readonly ReviewKindName[] {
  const maySee = visibilityOf(ctx);
  return REVIEW_KIND_TABLE.filter(({ reads }) => maySee(reads)).map(({ kind }) => kind);
}

/**
 * The reviews of a query, of the kinds that the caller may see. `mine` leaves those that are the caller's to decide:
 * assigned to the caller, or to nobody and within the caller's permissions.
 */
export async function reviewPage(ctx: ReadContext, { mine = false, ...query }: ReviewQuery): Promise<Page> {
  const visible = visibleKinds(ctx);
  const kind = query.kind ? visible.filter((name) => query.kind?.includes(name)) : visible;
  if (kind.length === 0) throw new ReeveError("permission_denied", "None of these reviews may be seen.");
  const { userId, permissions } = ctx.principal;
  const audience = [assignedTo(userId), ...DECIDES.filter((name) => permissions.has(name)).map(openTo)];
  const where = { kind, status: query.status ?? UNDECIDED, ...(mine ? { audience } : {}) };
  return ctx.page(reviews, query, { where });
}

/** Reviews that are assigned to somebody, or to nobody and within these permissions, page by page. */
export async function* reviewsFor(
  { db }: ReadContext,
  userId: string,
  permissions: ReadonlySet<string>,
  size: number,
): AsyncGenerator<readonly Review[]> {
  for (const audience of [assignedTo(userId), ...DECIDES.filter((name) => permissions.has(name)).map(openTo)])
    for await (const rows of everyPage(db, reviews, { where: { audience }, size }))
      yield rows.map(({ value }) => value);
}

/** 404 unless the caller may see reviews of this kind. */
export async function visibleReview<R extends Review>(ctx: ReadContext, review: R): Promise<R> {
  if (visibleKinds(ctx).includes(review.kind)) return review;
  throw new ReeveError("not_found");
}
