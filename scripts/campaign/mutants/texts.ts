import { type Mutant, tests } from "../mutant.js";

const sources = "packages/core/src";
const rule = "packages/core/test/rules/text-keys.test.ts";
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
];
