import { choice, pageOf, textOf } from "../../api/search.js";
import { ERASURE_STATES, MACHINE_STATES, OUTCOMES, STATUSES, WEBHOOK_STATES } from "./terms.js";

/** The filters of people, which stand in the address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, STATUSES),
  role: textOf(search.role),
});

/** The role whose permissions are shown. */
export const roleSearchOf = (search: Record<string, unknown>) => ({ role: textOf(search.role) });

/** The filters of machine identities. */
export const machinesSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, MACHINE_STATES),
  name: textOf(search.name),
});

/** The filters of requests to erase. */
export const erasuresSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, ERASURE_STATES),
});

/** The filters of webhooks. */
export const webhooksSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, WEBHOOK_STATES),
});

/** The filters of attempts to deliver events. */
export const attemptsSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  outcome: choice(search.outcome, OUTCOMES),
});

/** Lists without a filter. */
export const pageSearchOf = (search: Record<string, unknown>) => ({ page: pageOf(search.page) });
