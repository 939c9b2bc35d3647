import { type Mutant, tests } from "../mutant.js";

const sources = "packages/core/src/kernel/pipeline/openapi";
const samples = tests(
  "packages/testkit/test/golden-run.test.ts",
  "golden run: memory gives the same answers as the memory store",
);

/** What the published OpenAPI document says of answers and samples. */
export const published: readonly Mutant[] = [
  {
    breaks: "published: enums of answers that may be null do not list it",
    file: `${sources}/null.ts`,
    text: "enum: [...new Set([...rest.enum, null])]",
    replacement: "enum: rest.enum",
    witnesses: samples,
  },
  {
    breaks: "published: an answer that may be null refers to a schema without null",
    file: `${sources}/null.ts`,
    text: "if (Array.isArray(allOf)) return { ...rest, anyOf: each(allOf.length === 1 ? allOf : [{ allOf }]) };",
    replacement: "if (Array.isArray(allOf)) return { ...rest, allOf };",
    witnesses: samples,
  },
  {
    breaks: "published: answers may leave out, by the document, what only requests may",
    file: `${sources}/directions.ts`,
    text: "meaningOf(schema) !== meaningOf(answer)",
    replacement: "schema === undefined",
    witnesses: tests(
      "packages/core/test/kernel/openapi.test.ts",
      "the interface description gives requests a schema of their own where they may leave out what answers always have",
    ),
  },
  {
    breaks: "published: a plain date, which requests may hold, is no time by the document",
    file: `${sources}/schemas.ts`,
    text: '{ type, format: "date" },',
    replacement: "",
    witnesses: samples,
  },
];
