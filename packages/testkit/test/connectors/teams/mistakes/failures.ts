import { methods } from "../connector.js";
import { readBy } from "../own-connection.js";
import { failing, type Mistake, type Named, ORG, throwing } from "./mistake.js";

/** Mistakes where a target fails, or is not reached. */
export const failureMistakes: readonly Mistake[] = [
  [
    "finds nothing where it reaches nothing",
    "a target that cannot be reached is a failure that may pass, of every method that calls it",
    () => ({
      verify: (ctx, spec) =>
        failing(methods.verify(ctx, spec), { code: "unreachable" }, () => ({
          presence: "absent",
          authoritative: true,
        })),
    }),
  ],
  [
    "lets another error escape",
    "a target that cannot be reached is a failure that may pass, of every method that calls it",
    () => ({
      listResources: (ctx, type, page) =>
        failing(methods.listResources(ctx, type, page), { code: "unreachable" }, () => {
          throw new TypeError("cannot read properties of undefined");
        }),
    }),
  ],
  [
    "takes silence for wrong credentials",
    "a target that cannot be reached is a failure that may pass, of every method that calls it",
    () => ({
      testConnection: (ctx) => failing(methods.testConnection(ctx), { code: "unreachable" }, throwing("auth")),
    }),
  ],
  [
    "goes past the context",
    "nothing is reached but through the context",
    () => ({
      testConnection: async (ctx) => ({
        checks: [ORG],
        target: await readBy<Named>(ctx, "/org", { checked: false, abortable: true, kept: false }),
      }),
    }),
  ],
  [
    "goes on after its signal",
    "a call that is given up ends soon, and closes its connections",
    () => ({
      testConnection: async (ctx) => ({
        checks: [ORG],
        target: await readBy<Named>(ctx, "/org", { checked: true, abortable: false, kept: false }),
      }),
    }),
  ],
  [
    "keeps its connection",
    "no connection stays open after a call",
    () => ({
      testConnection: async (ctx) => ({
        checks: [ORG],
        target: await readBy<Named>(ctx, "/org", { checked: true, abortable: true, kept: true }),
      }),
    }),
  ],
  [
    "ends a listing that is broken off",
    "a listing that is broken off is a failure that may pass, and never complete",
    () => ({
      async discoverAssets(ctx, page) {
        const listed = methods.discoverAssets(ctx, page);
        return page.cursor
          ? failing(listed, { errorClass: "transient" }, () => ({ items: [], complete: true }))
          : listed;
      },
    }),
  ],
  [
    "takes a lost grant for one that failed",
    "a grant whose answer is lost is not said to have failed",
    () => ({
      grant: (ctx, spec) => failing(methods.grant(ctx, spec), { errorClass: "outcome_unknown" }, throwing("transient")),
    }),
  ],
  [
    "takes a lost revocation for one that failed",
    "a revocation whose answer is lost is not said to have failed",
    () => ({
      revoke: (ctx, spec) =>
        failing(methods.revoke(ctx, spec), { errorClass: "outcome_unknown" }, throwing("transient")),
    }),
  ],
  [
    "takes a lost answer for absence",
    "a check whose answer is lost is a failure, and never absence",
    () => ({
      async verify(ctx, spec) {
        const checked = methods.verify(ctx, spec);
        const absent = () => ({ presence: "absent", authoritative: true }) as const;
        return failing(failing(checked, { code: "protocol" }, absent), { code: "broken_off" }, absent);
      },
    }),
  ],
];
