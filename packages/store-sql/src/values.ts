import type { CountPlan, FindPlan } from "@reeve/core/store";
import type { Dialect, Values } from "./dialect.js";
import type { TableShape } from "./table.js";

/** The slots of a filter, range, position and page number. */
export function findValues(
  dialect: Dialect,
  tenantId: string,
  plan: Pick<FindPlan, "where"> & Partial<Pick<FindPlan, "range" | "after" | "page" | "size">>,
): Record<string, unknown> {
  const values: Record<string, unknown> = { tenant: tenantId };
  for (const [at, [, value]] of plan.where.entries()) values[`w${at}`] = dialect.encode(value);
  if (plan.range) {
    values.from = plan.range.from;
    values.before = plan.range.before;
    values.through = plan.range.through;
  }
  if (plan.after) {
    values.afterBy = plan.after.by;
    values.afterId = plan.after.id;
  }
  if (plan.page) values.offset = plan.page * (plan.size ?? 0);
  return values;
}

/** The slots that name the counter a total is read from. */
export function counterValues(tenantId: string, table: TableShape, total: CountPlan): Values {
  const [field, value] = total.from === "counter" ? [total.field, String(total.value)] : ["", ""];
  return { tenant: tenantId, collection: table.name, field, value };
}
