import { type Mutant, onEveryStore, tests } from "../mutant.js";

const sources = "packages/core/src/families/connectors";
const badTargets = "packages/core/test/connectors/each-store/bad-targets.test.ts";
const calls = "packages/core/test/connectors/each-store/calls.test.ts";

const listingEnd = "packages/core/src/connectors/whole/listing-end.test.ts";

export const connectors: readonly Mutant[] = [
  {
    breaks: "a cursor in another spelling than the protocol's is not seen",
    file: "packages/core/src/connectors/whole/listing-end.ts",
    text: 'if (signs.cursor || said.more) return "cursor";',
    replacement: 'if (said.more) return "cursor";',
    witnesses: tests(listingEnd, "a last page that has next_cursor leaves it open whether there is more"),
  },
  {
    breaks: "a full page without a word about the end is taken for the last one",
    file: "packages/core/src/connectors/whole/listing-end.ts",
    text: "entries === asked && entries > 0",
    replacement: "entries === asked && entries < 0",
    witnesses: tests(listingEnd, "a last page that is full leaves it open whether there is more"),
  },
  {
    breaks: "the count of one page is taken for that of all",
    file: "packages/core/src/connectors/whole/listing-end.ts",
    text: "return read > entries && [",
    replacement: "return [",
    witnesses: tests(
      listingEnd,
      "a last page that is full, with a total that may count it only leaves it open whether there is more",
    ),
  },
  {
    breaks: "a link to a next page is read with one relation only",
    file: "packages/core/src/connectors/whole/links.ts",
    text: "rel: rel.toLowerCase().split(/\\s+/).filter(Boolean),",
    replacement: "rel: [rel],",
    witnesses: tests(listingEnd, "the header Link is read in every legal spelling"),
  },
  {
    breaks: "a page that comes again in place of another is believed",
    file: "packages/core/src/connectors/call/walk.ts",
    text: 'return repeats ? "repeated" : rejected ? "rejected" : null;',
    replacement: 'return rejected ? "rejected" : null;',
    witnesses: onEveryStore(badTargets, "a target that lists one page twice in place of another has nothing retired"),
  },
  {
    breaks: "pages that lead in a circle are read without end",
    file: `${sources}/imports/discover-listing.ts`,
    text: "trail: run.trail, ",
    replacement: "",
    witnesses: onEveryStore(
      badTargets,
      "a target that leads its pages in a circle ends the import, and nothing is concluded from it",
    ),
  },
  {
    breaks: "what is known counts as missing where its entry cannot be used",
    file: `${sources}/imports/discover-listing.ts`,
    text: "counts.rejected === 0",
    replacement: "rejected.length === 0",
    witnesses: onEveryStore(
      badTargets,
      "a target that describes what is known by an entry that has a name that cannot be kept does not lack it",
    ),
  },
  {
    breaks: "another system is imported from in place of the known one",
    file: `${sources}/imports/step/step.ts`,
    text: "requireHeldTarget(instance, target);",
    replacement: "",
    witnesses: onEveryStore(
      badTargets,
      "a target that is another system than before is not imported from, and nothing is concluded from it",
    ),
  },
  {
    breaks: "two processes refresh one token",
    file: `${sources}/calls/parts/secret-source.ts`,
    text: "leased(env, tenantId, instanceId, work))",
    replacement: "work())",
    witnesses: onEveryStore(
      calls,
      "what a connection keeps between calls is refreshed credentials: once, whichever processes want it, and seen by both",
    ),
  },
  {
    breaks: "a call that is under way goes on when calls are switched off",
    file: "packages/core/src/connectors/call/context.ts",
    text: "      await admit();\n",
    replacement: "",
    witnesses: onEveryStore(
      calls,
      "a call of a connection stops where the switch is engaged while it runs: the next thing it sends is refused",
    ),
  },
  {
    breaks: "the warning of a connector's mistake quotes a part of a secret",
    file: "packages/core/src/connectors/call/mask.ts",
    text: "const isPart = parts.has(text.slice(at, at + PART));",
    replacement: "const isPart = false;",
    witnesses: tests(
      "packages/core/test/connectors/call.test.ts",
      "a call of a connector that throws the beginning of a secret in a text by mistake warns the host once, and quotes no secret",
      "a call of a connector that throws a secret as Base64 in a text by mistake warns the host once, and quotes no secret",
    ),
  },
];
