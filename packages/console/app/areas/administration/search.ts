import { choice, pageOf } from "../../api/search.js";
import { STATUSES } from "./terms.js";

/** The filters of people, which stand in the address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, STATUSES),
});
