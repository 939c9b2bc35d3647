import { join, part, type Query, tableIn } from "../schema/dialect.js";
import type { Queries } from "./queries.js";

/** When the first row was removed that these collections still keep. */
export function firstRemovalQuery(queries: Queries, collections: readonly { readonly name: string }[]): Query {
  const names = collections.map(({ name }) => name);
  return queries.shape(`removed/${names.join()}`, () => {
    const { knex, tenant, tenantRead } = queries.dialect;
    const firsts = names.map((name, at) => {
      const rows = knex(tableIn(queries.dialect, name)).select("removed_at").where("tenant_id", tenant);
      const first = join(part(rows.whereNotNull("removed_at").orderBy("removed_at")), " limit 1");
      return join(at === 0 ? "" : " union all ", "select removed_at from (", first, `) f${at}`);
    });
    return tenantRead(join("select min(removed_at) from (", ...firsts, ") f"));
  });
}
