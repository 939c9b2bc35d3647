import { choice, pageOf, textOf } from "../../api/search.js";
import { CLIENTS, CODE_STATES, PUBLISHED, STATES } from "./terms.js";

/** The filters of installations, which stand in the address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, STATES),
  client: choice(search.client, CLIENTS),
  team: textOf(search.team),
});

/** The filters of enrolment codes. */
export const codesSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, CODE_STATES),
});

/** The filters of publications. */
export const publicationsSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  client: choice(search.client, PUBLISHED),
});
