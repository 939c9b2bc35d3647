import { type Mutant, tests } from "../mutant.js";

const sources = "packages/core/src";
const rule = "packages/core/test/rules/text-keys.test.ts";
const language = "packages/core/src/cel/engine.test.ts";
const passwords = "packages/core/test/identity/each-store/opaque-passwords.test.ts";

/** Texts that people type and systems send: keys, filters and passwords. */
export const texts: readonly Mutant[] = [
  {
    breaks: "texts: a key is kept in its form and looked up as it was typed",
    file: `${sources}/store/query.ts`,
    text: "return [name, comparedValue(collection, name, value)];",
    replacement: "return [name, comparedValue && value];",
    witnesses: tests(rule, "each text of a unique key of access_policies.name is looked up as it is kept"),
  },
  {
    breaks: "texts: names that differ in the form of an accent are two names",
    file: `${sources}/store/comparison.ts`,
    text: 'canonical: (text) => text.normalize("NFC"),',
    replacement: "canonical: (text) => text,",
    witnesses: tests(rule, "each text of a unique key of tenants.externalId is looked up as it is kept"),
  },
  {
    breaks: "texts: a unique key does not say how it is compared",
    file: `${sources}/families/access/policies/schema.ts`,
    text: 'name: { type: "text", compare: "caseless" },',
    replacement: 'name: { type: "text" },',
    witnesses: tests(rule, "each text of a unique key declares how it is compared"),
  },
  {
    breaks: "texts: a password with accents is right on the keyboard alone where it was set",
    file: `${sources}/ports/opaque-string.ts`,
    text: '.normalize("NFC")',
    replacement: "",
    witnesses: tests(
      passwords,
      'a password set as "naïve éclair at café Ångström" is right in each form, and no other text is',
    ),
  },
  {
    breaks: "texts: lowerAscii changes letters outside ASCII",
    file: `${sources}/cel/language.ts`,
    text: "/[A-Z]+/g",
    replacement: "/\\p{Lu}+/gu",
    witnesses: tests(
      language,
      `what the library says otherwise than the language '\u00c4B\u212a'.lowerAscii() == '\u00c4b\u212a' is true`,
    ),
  },
  {
    breaks: "texts: a text that is no number is one in a rule",
    file: `${sources}/cel/language.ts`,
    text: "checkConversion(name, (operands as unknown[])[0]);",
    replacement: "",
    witnesses: tests(
      language,
      'what the library says otherwise than the language int of "" has no result, and is refused when it is written',
    ),
  },
  {
    breaks: "texts: a conversion of what is written, which has no value, is a rule",
    file: `${sources}/cel/guards.ts`,
    text: "withoutValue(node) ??",
    replacement: "",
    witnesses: tests(
      language,
      'what the library says otherwise than the language double of "0x10" has no result, and is refused when it is written',
    ),
  },
  {
    breaks: "texts: -1.5 s and nothing more is -2.5 s",
    file: `${sources}/cel/language.ts`,
    text: "sum(one, other) ?? handle(one, other, ...more)",
    replacement: "handle(one, other, ...more)",
    witnesses: tests(
      "packages/core/test/cel/conformance.test.ts",
      "the language as its makers test it does what timestamps says, or a reason is listed",
    ),
  },
];
