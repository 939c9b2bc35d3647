import { accessAssignments } from "#families/access-grants/index.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { FindQuery } from "#store/find-query.js";
import { peopleOf } from "../certification-facts.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { involvedInAccess } from "./involved-in-access.js";

/** Ids and names of who is involved in the access that some items are about, each once. */
export async function involvedUnderReview(
  ctx: ReadContext,
  query: Pick<FindQuery, "where" | "order">,
  isMeant: (item: CertificationItem) => boolean = () => true,
): Promise<string[]> {
  const involved = new Set<string>();
  for await (const rows of everyPage(ctx.db, certificationItems, query)) {
    const items = rows.map(({ value }) => value).filter(isMeant);
    const held = await ctx.db.getMany(accessAssignments, [...new Set(items.map((one) => one.assignmentId))]);
    const all = held.map(({ value }) => value);
    const people = await peopleOf(ctx, all);
    for (const one of all) for (const party of involvedInAccess(one, people(one))) involved.add(party);
  }
  return [...involved];
}
