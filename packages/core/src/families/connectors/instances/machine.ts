import { defineMachine, type Guard } from "#kernel/operation/guard.js";

/** The fields that guards read. */
interface Governed {
  readonly configurationVersion: number;
  readonly lastTest: { readonly outcome: "passed" | "skipped"; readonly configurationVersion: number } | null;
  readonly maintenance: { readonly until: string | null } | null;
}

const tested: Guard<Governed> = {
  description: "Its present configuration has passed a test, or somebody has skipped the test with a reason.",
  check: ({ after: { lastTest, configurationVersion } }) =>
    lastTest?.configurationVersion === configurationVersion ? undefined : "Its configuration has passed no test.",
};

const timely: Guard<Governed> = {
  description: "The end of the maintenance, if one is named, lies ahead.",
  check({ after: { maintenance }, ctx }) {
    const until = maintenance?.until ?? null;
    return until === null || until > ctx.now ? undefined : "The maintenance would be over already.";
  },
};

/** `status` of an instance: whether it is called. Its health is apart from it. */
export const instanceStatus = defineMachine<Governed>()({
  name: "connectorInstanceStatus",
  field: "status",
  eventType: "connector.status.changed",
  states: {
    draft: "Being set up: it is tested, and called for nothing else.",
    active: "It is called.",
    disabled: "Somebody took it out of use: nothing calls it but tests.",
    maintenance: "Nothing calls it for a while, and its health raises no alarm.",
    deleting: "It is called for nothing but to end access, and removed once nothing is under way.",
  },
  initial: ["draft"],
  guards: { tested, timely },
  transitions: [
    { event: "activate", from: ["draft"], to: "active", guards: ["tested"] },
    { event: "enable", from: ["disabled"], to: "active", guards: ["tested"] },
    { event: "disable", from: ["active", "maintenance"], to: "disabled", stops: true, warns: true },
    { event: "maintain", from: ["active"], to: "maintenance", guards: ["timely"], stops: true },
    { event: "resume", from: ["maintenance"], to: "active" },
    { event: "maintenance_over", from: ["maintenance"], to: "active", automatic: true },
    {
      event: "delete",
      from: ["draft", "active", "disabled", "maintenance"],
      to: "deleting",
      automatic: true,
      warns: true,
    },
  ],
});
