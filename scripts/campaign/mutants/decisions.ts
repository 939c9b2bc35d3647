import { type Mutant, onEveryStore, tests } from "../mutant.js";

const sources = "packages/core/src/families/governance/decisions";
const withoutResult = "packages/core/test/governance/each-store/decisions-without-result.test.ts";

export const decisions: readonly Mutant[] = [
  {
    breaks: "a policy in force that does not compile is passed over",
    file: `${sources}/judge/rule-results.ts`,
    text: `if (policy.broken) return [failed("*")];`,
    replacement: "if (policy.broken) return [];",
    witnesses: [
      ...tests(
        withoutResult,
        "a policy that cannot say what it says denies in force what all others allow, when it does not compile",
        "a policy that cannot say what it says is told of and changes nothing under observation, when it does not compile",
      ),
      ...onEveryStore(
        withoutResult,
        "a stored policy of tenant a that does not compile any more denies there what it is asked about, and nothing anywhere else",
        "a stored policy of tenant b that does not compile any more denies there what it is asked about, and nothing anywhere else",
      ),
    ],
  },
  {
    breaks: "a policy in force that does not compile is asked as far as it does",
    file: `${sources}/judge/rule-results.ts`,
    text: `  if (policy.broken) return [failed("*")];\n`,
    replacement: "",
    witnesses: onEveryStore(
      withoutResult,
      "a stored policy of tenant a that does not compile any more denies there what it is asked about, and nothing anywhere else",
      "a stored policy of tenant b that does not compile any more denies there what it is asked about, and nothing anywhere else",
    ),
  },
  {
    breaks: "a policy whose engine throws says nothing",
    file: `${sources}/judge/rule-results.ts`,
    text: `      // After any failure the result of the whole policy is an error.
      found.push(failed("*"));`,
    replacement: "",
    witnesses: tests(
      withoutResult,
      "a policy that cannot say what it says denies in force what all others allow, when it makes its engine throw",
      "a policy that cannot say what it says is told of and changes nothing under observation, when it makes its engine throw",
    ),
  },
  {
    breaks: "an answer is used again when its session is over its limit",
    file: `${sources}/judge/judge.ts`,
    text: "[...moments, ...limits].map",
    replacement: "moments.map",
    witnesses: onEveryStore(
      "packages/core/test/governance/each-store/decisions.test.ts",
      "a decision may be used again only as long as time changes nothing of it",
    ),
  },
];
