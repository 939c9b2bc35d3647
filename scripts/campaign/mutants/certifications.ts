import { type Mutant, onEveryStore, tests } from "../mutant.js";

const sources = "packages/core/src/families/access-reviews/certifications";
const campaigns = "packages/core/test/access/each-store/certifications.test.ts";
const reconciliation = "packages/core/test/access/each-store/reconciliation.test.ts";

export const certifications: readonly Mutant[] = [
  {
    breaks: "access is revoked that has changed since somebody decided it",
    file: `${sources}/follow/follow.ts`,
    text: "if (scopeHashOf(one) !== item.snapshot.scopeHash)",
    replacement: "if (false)",
    witnesses: onEveryStore(
      campaigns,
      "a campaign looks again at access that changed while others are undecided, and old decisions count no more",
    ),
  },
  {
    breaks: "silence revokes without a confirmation",
    file: `${sources}/rules.ts`,
    text: "return silent > 0 || ",
    replacement: "return ",
    witnesses: onEveryStore(
      campaigns,
      "a campaign pitfall 18: does not revoke in silence without a second word, nor before somebody else confirms it",
    ),
  },
  {
    breaks: "a reviewer of a campaign confirms what it revokes",
    file: `${sources}/close/confirm.ts`,
    text: "await requireNoReviewer(ctx, campaign);",
    replacement: "",
    witnesses: onEveryStore(campaigns, "a campaign trips the circuit breaker when more is revoked than is plausible"),
  },
  {
    breaks: "who holds access may review it",
    file: `${sources}/reviewers/assign.ts`,
    text: "found.filter((user) => !isAmong(user, involved))",
    replacement: "[...found]",
    witnesses: onEveryStore(campaigns, "a reviewer is not the holder of the access, nor who stored it"),
  },
  {
    breaks: "a decision is carried out while it can be undone",
    file: `${sources}/work/remediate.ts`,
    text: "ctx.request.nowMs - millisecondsOf(campaign.remediation.undoWindow)",
    replacement: "ctx.request.nowMs",
    witnesses: onEveryStore(
      campaigns,
      "a campaign asks the owner of the asset, and revokes what they revoke after the time to undo it",
    ),
  },
  {
    breaks: "access whose use nobody knows counts as unused",
    file: `${sources}/rules.ts`,
    text: 'if (usageState === "unknown") return false;',
    replacement: "",
    witnesses: tests(
      "packages/core/src/families/access-reviews/certifications/rules.test.ts",
      "access that has not been used pitfall 22: that is unknown, last used 2026-03-01T00:00:00.000Z and active since 2026-03-01T00:00:00.000Z: false",
    ),
  },
  {
    breaks: "parameters of a grant are not checked",
    file: "packages/core/src/families/access-grants/assignments/provision-assignment.ts",
    text: "  requireParameters(profile, decided.parameters);\n",
    replacement: "",
    witnesses: onEveryStore(reconciliation, "an assignment takes no parameters that its profile does not permit"),
  },
];
