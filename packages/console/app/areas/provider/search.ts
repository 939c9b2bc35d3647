import { choice, pageOf, textOf } from "../../api/search.js";
import { TENANT_STATES } from "./terms.js";

/** The filters of the list of tenants. */
export const tenantsSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, TENANT_STATES),
  name: textOf(search.name),
});

/** Lists without a filter. */
export const pageSearchOf = (search: Record<string, unknown>) => ({ page: pageOf(search.page) });
