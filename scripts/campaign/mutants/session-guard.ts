import { type Mutant, onEveryStore, tests } from "../mutant.js";

export const sessionGuard: readonly Mutant[] = [
  {
    breaks: "a guard that reads from a store that is behind forgets a suspension",
    file: "packages/core/src/families/sessions/guard/watch/guard.ts",
    text: "if (session.version > this.session.version) this.session = session;",
    replacement: "this.session = session;",
    witnesses: onEveryStore(
      "packages/core/test/sessions/each-store/session-guard.test.ts",
      "the session guard holds on to what it knows when it reads from where a suspension has not arrived yet",
    ),
  },
  {
    breaks: "a guard counts usage that is no number of 0 or more",
    file: "packages/core/src/families/sessions/guard/watch/guard.ts",
    text: "usageOf(usage)",
    replacement: "usage",
    witnesses: tests(
      "packages/core/test/sessions/each-store/session-guard.test.ts",
      'the session guard refuses to count the usage {"costUsd":-0.01}, and keeps the limit',
      'the session guard refuses to count the usage {"costUsd":0.01,"iterations":-100}, and keeps the limit',
    ),
  },
  {
    breaks: "a report that is refused keeps the reports of other guards from being stored",
    file: "packages/core/src/families/sessions/guard/watch/hub.ts",
    text: "if (guards.length === 1) return settle",
    replacement: "return settle",
    witnesses: tests(
      "packages/core/test/sessions/each-store/session-guard.test.ts",
      "the session guard stores what others report when the report of one is refused, and tries that one again",
    ),
  },
];
