import { type Mutant, onEveryStore, tests } from "../mutant.js";

const sources = "packages/core/src/families/governance/evaluations";

export const evaluations: readonly Mutant[] = [
  {
    breaks: "findings keep the old name of their policy",
    file: `${sources}/run/follow.ts`,
    text: "JSON.stringify([digest, status, name, severity",
    replacement: "JSON.stringify([digest, status, severity",
    witnesses: onEveryStore(
      "packages/core/test/governance/each-store/evaluations.test.ts",
      "findings take the new name of their policy by the run that its change brings",
    ),
  },
  {
    breaks: "a worker goes on with a run that it has lost",
    file: `${sources}/run/work.ts`,
    text: `      if (work.claimedBy !== this.#name) return false;
      const { run, cursor }`,
    replacement: "      const { run, cursor }",
    witnesses: onEveryStore(
      "packages/core/test/governance/each-store/evaluation-runs.test.ts",
      "a worker that has lost its run does nothing more of it, and whoever has it finds each thing once",
    ),
  },
  {
    breaks: "a part that was read ahead is passed over",
    file: `${sources}/run/parts.ts`,
    text: "await (this.#next ?? this.#read(size, isAhead))",
    replacement: "await this.#read(size, isAhead)",
    witnesses: tests(
      `${sources}/run/parts.test.ts`,
      "parts of a run by a scan come in order, each once, and one is read ahead where the store is elsewhere",
    ),
  },
  {
    breaks: "assets after the first ones count as not assessed",
    file: "packages/core/src/families/assessments/assessments/queries.ts",
    text: "at += size;",
    replacement: "at += 2 * size;",
    witnesses: tests(
      "packages/core/src/families/assessments/assessments/queries.test.ts",
      "each asset has its standing however long assessments are: short",
    ),
  },
  {
    breaks: "a change of what an asset is called is no change to a run",
    file: "packages/core/src/families/governance/snapshots/take/snapshots.ts",
    text: '("volatile" in field ? [] : name)',
    replacement: '("volatile" in field || name === "name" ? [] : name)',
    witnesses: tests(
      "packages/core/src/families/governance/snapshots/take/snapshots.test.ts",
      "the digest is that of the canonical form of all lasting values",
    ),
  },
  {
    breaks: "one item without a result keeps findings of others open",
    file: `${sources}/judge/pair.ts`,
    text: "(result.item === undefined || result.locus === locus)",
    replacement: "true",
    witnesses: tests(
      `${sources}/judge/pair.test.ts`,
      "leaves open what was found on an item that has no result now, and no other item's",
    ),
  },
  {
    breaks: "a rule without a result resolves what it has found",
    file: `${sources}/judge/pair.ts`,
    text: "(result.item === undefined || result.locus === locus)",
    replacement: "result.locus === locus",
    witnesses: tests(
      `${sources}/judge/pair.test.ts`,
      "leaves open all that a rule has found when it has no result at all, and nothing of another rule",
    ),
  },
  {
    breaks: "a posture looks old though a run has just looked, where nothing had changed",
    file: `${sources}/results/store-results.ts`,
    text: "for (const policyId of unchanged.get(id) ?? []) standings.add(policyId, next[policyId], next[policyId]);",
    replacement: "",
    witnesses: onEveryStore(
      "packages/core/test/compliance/each-store/compliance-posture.test.ts",
      "a posture of rules is as fresh as the last run, which may have found nothing changed",
    ),
  },
  {
    breaks: "the posture of a day is not kept where only rules have assessed anything",
    file: "packages/core/src/families/compliance/posture/compute/read-inputs.ts",
    text: "return rows.length > 0 || (await db.find(ruleStandings, { size: 1 })).rows.length > 0;",
    replacement: "return rows.length > 0;",
    witnesses: onEveryStore(
      "packages/core/test/compliance/each-store/compliance-posture.test.ts",
      "a trend has the point of a day on which rules alone have assessed something",
    ),
  },
  {
    breaks: "a finding that is there every day says so every other day",
    file: `${sources}/results/update-findings.ts`,
    text: "< daysMs(1)",
    replacement: "< daysMs(2)",
    witnesses: onEveryStore(
      "packages/core/test/governance/each-store/evaluations.test.ts",
      "findings that are found again say so once a day, however often that happens",
    ),
  },
  {
    breaks: "a finding is written anew by every run that finds it again",
    file: `${sources}/results/update-findings.ts`,
    text: "< daysMs(1)",
    replacement: "< 0",
    witnesses: tests(
      "packages/core/test/governance/each-store/evaluations.test.ts",
      "findings that are found again say so once a day, however often that happens",
    ),
  },
];
