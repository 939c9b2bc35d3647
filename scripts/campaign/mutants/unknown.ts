import { type Mutant, onEveryStore, tests } from "../mutant.js";

const reconciliations = "packages/core/src/families/access-grants/reconciliation";
const scans = "packages/core/src/families/access-drift/scans";
const hiding = "packages/core/test/access/each-store/hiding-targets.test.ts";
const target = "a target that shows nothing of what it took";
const reportedAs = `${target} is told of everywhere, with since when and what would tell, until it shows what it has`;
const revoked = `${target} is asked to take it away when it is revoked, and is not said to lack it`;
const names = "packages/connectors/test/ldap/names.test.ts";
const scim = "packages/connectors/test/governed/scim-hiding.test.ts";

/** Not shown is taken for not there. */
export const unknown: readonly Mutant[] = [
  {
    breaks: "access that was granted from here ends without a removal where the target does not show it",
    file: `${reconciliations}/work/work.ts`,
    text: 'const isTouched = reconciliation.granted || (seen === "unknown" && reconciliation.preExisting);',
    replacement: 'const isTouched = seen === "unknown" && reconciliation.preExisting;',
    witnesses: onEveryStore(hiding, revoked),
  },
  {
    breaks: "a target is said to lack what it took and never showed",
    file: `${reconciliations}/believed-state.ts`,
    text: 'if (await hides(ctx, reconciliation.connectorInstanceId)) return "unknown";',
    replacement: "",
    witnesses: onEveryStore(
      hiding,
      `${target} is not said to lack what it took, though it has shown other access before`,
    ),
  },
  {
    breaks: "a target that has shown nothing yet is said to lack what it may have taken",
    file: `${reconciliations}/believed-state.ts`,
    text: 'return reconciliation.granted && !(await shows(ctx, reconciliation)) ? "unknown" : "absent";',
    replacement: 'return "absent";',
    witnesses: onEveryStore(
      "packages/core/test/access/each-store/reconciliation.test.ts",
      "a reconciliation gives a grant up after five attempts, and takes back what it may have left behind",
    ),
  },
  {
    breaks: "what a target took without showing it is granted over and over",
    file: `${reconciliations}/work/work.ts`,
    text: 'if (seen !== "unknown" || reconciliation.hiddenSince === null || reconciliation.acting !== null)\n      return seen === "present";',
    replacement:
      'if (seen !== "unknown") return seen === "present";\n    if (reconciliation.hiddenSince !== null) return false;',
    witnesses: tests(
      scim,
      "a SCIM provider that shows no members of its groups is asked once for the access, and nobody says that it lacks what it took",
    ),
  },
  {
    breaks: "the listing of a target that hides what it took is taken for whole",
    file: `${scans}/scan-absence.ts`,
    text: "if (await hides(inner, scan.connectorInstanceId))",
    replacement: "if (false)",
    witnesses: onEveryStore(hiding, reportedAs),
  },
  {
    breaks: "the name of an entry that is gone stays in its groups",
    file: "packages/connectors/src/ldap/changes.ts",
    text: "const all = [...new Set([...values, ...remembered])];",
    replacement: "const all = values;",
    witnesses: tests(
      names,
      "what stands in a group of an LDAP directory is taken away for an entry that is gone, so that the next of its name has nothing",
    ),
  },
  {
    breaks: "what stands in a group is revoked as the entry has it, and not as it was listed",
    file: "packages/connectors/src/ldap/changes.ts",
    text: "const values = listed.length > 0 ? listed : plain;",
    replacement: "const values = plain;",
    witnesses: tests(
      names,
      "what stands in a group of an LDAP directory is what was listed, byte for byte: a uid in capitals",
    ),
  },
];
