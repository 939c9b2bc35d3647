import { choice, pageOf } from "../../api/search.js";
import { KINDS, READING, STATES } from "./terms.js";

/** The filters of notices, which stand in the address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  kind: choice(search.kind, KINDS),
  status: choice(search.status, STATES),
  reading: choice(search.reading, READING),
});

/** A list without a filter. */
export const pageSearchOf = (search: Record<string, unknown>) => ({ page: pageOf(search.page) });
