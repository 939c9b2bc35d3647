import type { FindPlan } from "@reeve/core/store";
import { type Dialect, join, type Part, type Query, type Values } from "../schema/dialect.js";
import type { TableShape } from "../schema/table.js";
import type { Queries } from "./queries.js";
import { type Columns, scanKey, scanPart } from "./scan.js";
import { scanValues } from "./values.js";

/** The first time in one field of a table. */
export interface First {
  readonly table: TableShape;
  readonly plan: FindPlan;
}

/** One row with the first time of each, as a column of its own. */
export function firstTimesQuery(queries: Queries, firsts: readonly First[]): Query {
  const key = firsts.map(({ table, plan }) => scanKey(table, plan, plan)).join(" ");
  return queries.shape(`firsts/${key}`, () => {
    const each = firsts.map((first, at) => join(at === 0 ? "" : ", ", "(", firstPart(queries.dialect, first, at), ")"));
    return queries.dialect.tenantRead(join("select ", ...each));
  });
}

/** The slots of `firstTimesQuery`. */
export function firstTimesValues(dialect: Dialect, tenantId: string, firsts: readonly First[]): Values {
  const values: Record<string, unknown> = { one: 1 };
  for (const [at, { plan }] of firsts.entries()) {
    for (const [slot, value] of Object.entries(scanValues(dialect, tenantId, plan))) values[slotOf(slot, at)] = value;
  }
  return values;
}

function firstPart(dialect: Dialect, { table, plan }: First, at: number): Part {
  const columns: Columns = {
    part: { sql: `"${table.columnOf[plan.by]}" as position`, slots: [] },
    names: ["position"],
  };
  const { sql, slots } = scanPart(dialect, table, plan, plan, columns, "one");
  return { sql, slots: slots.map((slot) => slotOf(slot, at)) };
}

/** The values that `where` wants differ from field to field. */
function slotOf(slot: string, at: number): string {
  return slot.startsWith("w") ? `${slot}/${at}` : slot;
}
