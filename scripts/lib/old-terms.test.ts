import { describe, expect, it } from "vitest";
import { holdsTerm, oldIdentifiersIn, oldTermsIn } from "./old-terms.js";

const GLOSSARY = `# Glossary

- **Lane.** No term of the table.

## Terms that changed

| Old                | New                |
| ------------------ | ------------------ |
| lane (of requests) | bulkhead           |
| second person      | four-eyes approver |
| tell, told         | report; notify     |
`;

describe("the old terms of the glossary", () => {
  it("are the forms in the first column of its table, without what they meant", () => {
    expect(oldTermsIn(GLOSSARY)).toEqual([["lane"], ["second", "person"], ["tell"], ["told"]]);
  });

  it("are missed where the table is gone", () => {
    expect(() => oldTermsIn("# Glossary\n")).toThrow("no table");
  });

  it.each(["lane", "lanes", "LANE_LIMIT", "inLane", "HTTPLane", "second-person.ts", "secondPersons", "toldBy"])(
    "are in the name %s",
    (name) => expect(holdsTerm(name, oldTermsIn(GLOSSARY))).toBe(true),
  );

  it.each(["planes", "secondLater", "person", "intelligence", "bulkhead"])("are not in the name %s", (name) =>
    expect(holdsTerm(name, oldTermsIn(GLOSSARY))).toBe(false),
  );

  it("are found in names of code, and left alone in its texts and comments", () => {
    const source = `
      // The second person in a lane.
      const text = "lane"; const other = \`tell \${text}\`;
      interface Call { readonly lane: string }
      export function tellAll({ lane }: Call) { return lane; }
    `;
    expect(oldIdentifiersIn(source, oldTermsIn(GLOSSARY))).toEqual(["lane", "tellAll"]);
  });
});
