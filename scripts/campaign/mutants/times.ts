import { type Mutant, tests } from "../mutant.js";

const sources = "packages/core/src";
const test = "packages/core/test";
const lapsed = `${test}/access/each-store/lapsed-acceptance.test.ts`;

/** What time changes before a job has stored it. */
export const times: readonly Mutant[] = [
  {
    breaks: "times: a list shows records as they are stored",
    file: `${sources}/kernel/operation/read-context.ts`,
    text: "if (seen) return recordPage(seen,",
    replacement: "if (seen && false) return recordPage(seen,",
    witnesses: tests(
      lapsed,
      "a difference whose time to be let be is over is listed as open at once, and as accepted no more",
    ),
  },
  {
    breaks: "times: numbers count what one read of due records finds",
    file: `${sources}/kernel/operation/seen-records.ts`,
    text: "after = next;",
    replacement: "after = undefined && next;",
    witnesses: tests(
      `${test}/overview/each-store/numbers-now.test.ts`,
      "numbers of more records than one read finds, whose time is over are exact in the overview",
    ),
  },
  {
    breaks: "times: reviewers do not know of open drift until a job has stored it",
    file: `${sources}/families/access-drift/drift/open-drift.ts`,
    text: 'everyDue(ctx.db, accessDrift, "acceptedUntil", ctx.now)',
    replacement: "[]",
    witnesses: tests(
      lapsed,
      "a difference whose time to be let be is over is known to whoever reviews the access",
      "a difference whose time to be let be is over is what a repair of the assignment puts right",
    ),
  },
  {
    breaks: "times: an unconfirmed termination is missing until a job has stored it",
    file: `${sources}/families/sessions/sessions/schema.ts`,
    text: '      changesAt: "dueAt",\n',
    replacement: "",
    witnesses: tests(
      `${test}/sessions/each-store/unconfirmed-terminations.test.ts`,
      "a termination that its enforcement point does not confirm is listed, counted and told of from the moment when its time is over",
    ),
  },
  {
    breaks: "times: a filter does not say at which time its value changes",
    file: `${sources}/families/access-drift/usage/schema.ts`,
    text: 'outcome: { values: USE_OUTCOMES, changesAt: "lostAt" },',
    replacement: "outcome: { values: USE_OUTCOMES },",
    witnesses: tests(
      `${test}/kernel/filters-by-time.test.ts`,
      "what time changes without a job is declared by the filters and counters that it changes, whatever operations have left",
    ),
  },
  {
    breaks: "times: a session at an application is listed after its end",
    file: `${sources}/families/apps/logout/operations.ts`,
    text: "{ state: SESSION_STATES, ...query }",
    replacement: "{ ...query }",
    witnesses: tests(
      `${test}/apps/each-store/sessions-over.test.ts`,
      "a session at an application is not listed any more once it has ended by itself, whether or not a job has run",
    ),
  },
  {
    breaks: "times: access is certified together with others by what was known when it was prepared",
    file: `${sources}/families/access-reviews/certifications/rules.ts`,
    text: "is(snapshot) || (present !== undefined && is(present))",
    replacement: "is(snapshot)",
    witnesses: tests(
      `${test}/access/each-store/certified-together.test.ts`,
      "certified together with others is no access that a scan has found missing (drifted), although it was not so when it was looked at",
      "certified together with others is no access that conflicts with other access by now (conflicted), although it was not so when it was looked at",
    ),
  },
];
