import { choice, pageOf } from "../../api/search.js";
import { REVIEW_KINDS } from "./kinds.js";

/** The filters of the list, which stand in its address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  kind: choice(search.kind, REVIEW_KINDS),
  whose: choice(search.whose, ["all"]),
});
