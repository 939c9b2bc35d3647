import { expect, it } from "vitest";
import type { Asset } from "#families/estate/index.js";
import type { Row } from "#store/row.js";
import { assessedOf } from "./assessment-standing.js";
import { standingsOf } from "./queries.js";
import { subjectOf } from "./schema.js";

const LENGTH = 250;
const list = Array.from({ length: LENGTH }, (_, n) => ({ id: `ast_${n}`, purpose: `purpose ${n}` }) as Asset);
/** The kind of assessment that an asset has. */
const kindOf = (n: number) => (n % 3 === 0 ? ("impact" as const) : ("risk" as const));
const rows = new Map(
  list.map((asset, n) => [
    subjectOf({ assetId: asset.id, questionnaire: kindOf(n) }),
    { status: n % 2 === 0 ? "approved" : "expired", assessed: assessedOf(asset) },
  ]),
);

/** A store whose assessments have texts of this length, and how many subjects it was asked about each time. */
function sourceWith(characters: number) {
  const asked: number[] = [];
  const found = (value: string) => {
    const held = rows.get(value);
    return held ? [{ value: held, text: " ".repeat(characters) } as unknown as Row<never>] : [];
  };
  const findTopPerKey = async (_collection: unknown, { values }: { readonly values: readonly string[] }) => {
    asked.push(values.length);
    return new Map(values.map((value) => [value, found(value)]));
  };
  return { asked, source: { db: { findTopPerKey }, derived: <R>(_: unknown, row: Row<never>) => row.value as R } };
}

it.each([
  ["short", 100, [100, 300, 100]],
  ["of middle length", 10_000, [100, 200, 200]],
  ["long", 100_000, [100, 100, 100, 100, 100]],
])("each asset has its standing however long assessments are: %s", async (_length, characters, chunks) => {
  const { asked, source } = sourceWith(characters);
  const standings = await standingsOf(source as never, list);
  expect(asked).toEqual(chunks);
  expect([...standings]).toEqual(
    list.map(({ id }, n) => {
      const standing = n % 2 === 0 ? "approved" : "expired";
      return [id, { impact: "none", risk: "none", [kindOf(n)]: standing }];
    }),
  );
});
