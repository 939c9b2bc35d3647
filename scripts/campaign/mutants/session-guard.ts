import { type Mutant, onEveryStore } from "../mutant.js";

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
];
