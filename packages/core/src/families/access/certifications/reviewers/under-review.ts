import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { FindQuery } from "../../../../store/store.js";
import { accessAssignments } from "../../assignments/schema.js";
import { peopleOf } from "../facts/facts.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { handsOfAccess } from "./hands.js";

const PAGE = 500;

/** Ids and names of who has a hand in the access that some items are about, each once. */
export async function handsUnderReview(
  ctx: ReadContext,
  query: Pick<FindQuery, "where" | "order">,
  isMeant: (item: CertificationItem) => boolean = () => true,
): Promise<string[]> {
  const hands = new Set<string>();
  let after: { readonly by: string | number | null; readonly id: string } | undefined;
  do {
    const found = await ctx.db.find(certificationItems, { ...query, size: PAGE, ...(after ? { after } : {}) });
    const items = found.rows.map(({ value }) => value).filter(isMeant);
    const rows = await ctx.db.getMany(accessAssignments, [...new Set(items.map((one) => one.assignmentId))]);
    const all = rows.map(({ value }) => value);
    const people = await peopleOf(ctx, all);
    for (const one of all) for (const hand of handsOfAccess(one, people(one))) hands.add(hand);
    after = found.next;
  } while (after);
  return [...hands];
}
