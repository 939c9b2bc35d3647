import type { StoredCollection, StoredRecord } from "./collection.js";
import { fail, typeOf } from "./declared.js";
import { type FindPlan, planFind } from "./find-plan.js";
import type { FirstQuery } from "./find-query.js";

/** The most fields of one question. */
const MOST = 200;
/** The last of all times. */
const LAST = "9999-12-31T23:59:59.999Z";

/** Questions are constants, so each is checked once. */
const plans = new WeakMap<FirstQuery, FindPlan>();

/**
 * Checks the fields of a `firstTimes`, and chooses the index of each. Throws a TypeError, as `planFind` does. A field
 * needs an index that covers `where`.
 */
export function planFirsts(asked: readonly FirstQuery[]): readonly FindPlan[] {
  if (asked.length > MOST) throw new TypeError(`firstTimes: at most ${MOST} fields at once`);
  return asked.map((query) => {
    const plan = plans.get(query) ?? planFirst(query.collection, query);
    plans.set(query, plan);
    return plan;
  });
}

function planFirst<R extends StoredRecord>(collection: StoredCollection<R>, { where, by }: FirstQuery): FindPlan {
  if (typeOf(collection, by) !== "time") fail(collection, `"${by}" is no time`);
  const order = { by, direction: "asc" } as const;
  const plan = planFind(collection, { ...(where ? { where } : {}), order, range: { through: LAST }, size: 1 });
  if (plan.residual.length > 0 || plan.anyOf) fail(collection, `no index for the first "${by}"`);
  return plan;
}
