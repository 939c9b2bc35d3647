import { choice, pageOf } from "../../../api/search.js";
import { ACTIONS, HEALTHS, STATUSES } from "./terms.js";

type Given = Record<string, unknown>;

/** The filters of connections and of the lines of an import, which stand in the address. */
export const connectionsSearchOf = (search: Given) => ({
  page: pageOf(search.page),
  status: choice(search.status, STATUSES),
  health: choice(search.health, HEALTHS),
});
export const importSearchOf = (search: Given) => ({
  page: pageOf(search.page),
  action: choice(search.action, ACTIONS),
  result: choice(search.result, ["done", "failed"]),
});
