import { textOf } from "../../api/search.js";

/** The versions that are compared, which stand in the address of a page. */
export const versionsSearchOf = (search: Record<string, unknown>) => ({
  older: textOf(search.older),
  newer: textOf(search.newer),
});
