import { choice, pageOf, textOf } from "../../api/search.js";
import { access } from "../../texts/en/access.js";
import {
  ASSIGNMENT_STATUSES,
  CERTIFICATION_STATUSES,
  DRIFT_KINDS,
  DRIFT_STATUSES,
  ITEM_STATUSES,
  REQUEST_STATUSES,
} from "./terms.js";

type Given = Record<string, unknown>;

/** The filters of certifications and of their items, which stand in the address. */
export const searchOf = (search: Given) => ({
  page: pageOf(search.page),
  status: choice(search.status, CERTIFICATION_STATUSES),
});
export const itemSearchOf = (search: Given) => ({
  page: pageOf(search.page),
  status: choice(search.status, ITEM_STATUSES),
});

export const assignmentSearchOf = (search: Given) => ({
  page: pageOf(search.page),
  status: choice(search.status, ASSIGNMENT_STATUSES),
  seen: choice(search.seen, Object.keys(access.seen) as (keyof typeof access.seen)[]),
  target: textOf(search.target),
});

export const unusedSearchOf = (search: Given) => ({
  days: choice(String(search.days), Object.keys(access.unused.spans)),
  use: choice(search.use, ["unused", "unknown"]),
});

export const requestSearchOf = (search: Given) => ({
  page: pageOf(search.page),
  whose: choice(search.whose, ["all"]),
  status: choice(search.status, REQUEST_STATUSES),
});

export const driftSearchOf = (search: Given) => ({
  page: pageOf(search.page),
  status: choice(search.status, DRIFT_STATUSES),
  kind: choice(search.kind, DRIFT_KINDS),
});

/** What is asked for so far. */
export const askSearchOf = (search: Given) => ({
  whose: choice(search.whose, ["all"]),
  asset: textOf(search.asset),
  target: textOf(search.target),
  profile: textOf(search.profile),
  resource: textOf(search.resource),
});
export type AskSearch = ReturnType<typeof askSearchOf>;
