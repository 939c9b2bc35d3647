import { choice, pageOf } from "../../api/search.js";
import { CERTIFICATION_STATUSES, ITEM_STATUSES } from "./terms.js";

/** The filters of certifications and of their items, which stand in the address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, CERTIFICATION_STATUSES),
});
export const itemSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, ITEM_STATUSES),
});
