import { choice, pageOf, textOf } from "../../api/search.js";
import { CLIENTS, CODE_STATES, PUBLISHED, STATES } from "./terms.js";
import { FIGURES, GROUPS, SPANS } from "./use/terms.js";
import { WATCH_STATES } from "./watches/terms.js";

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

/** How the use is summed up, over how many days, and of which numbers there is a picture. */
export const usageSearchOf = (search: Record<string, unknown>) => ({
  groupBy: choice(search.groupBy, GROUPS),
  days: SPANS.find((days) => days === Number(search.days)),
  figure: choice(search.figure, FIGURES),
});

/** The filters of watches. */
export const watchesSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, WATCH_STATES),
});

/** The page of the calls of a watch. */
export const watchSearchOf = (search: Record<string, unknown>) => ({ page: pageOf(search.page) });
