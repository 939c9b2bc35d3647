import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { describe, expect, it } from "vitest";
import { manualClock } from "../ports/clock.js";
import { ExpressionError } from "../ports/expressions.js";
import { celEngine } from "./engine.js";

/** A case of the official conformance suite of CEL. */
interface Case {
  readonly name: string;
  readonly expr: string;
  readonly value?: { readonly boolValue?: boolean };
  readonly evalError?: object;
  readonly bindings?: object;
}
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original?: Case }[];
}

/**
 * Cases where the engine differs. They concern extreme numbers, timestamps and durations, which no rule uses, and
 * bytes, which rules do not have.
 */
const DIFFERS = new Set([
  "comparisons/eq_literal/eq_bytes",
  "comparisons/ne_literal/not_ne_bytes",
  "conversions/int/double_int_max_range",
  "conversions/int/double_int_min_range",
  "conversions/int/double_range",
  "conversions/string/bytes_invalid",
  "conversions/uint/double_uint_max_range",
  "fields/qualified_identifier_resolution/map_key_null",
  "fields/qualified_identifier_resolution/map_value_repeat_key",
  "integer_math/int64_math/int64_min_negate",
  "integer_math/int64_math/int64_min_negate_div",
  "macros/exists_one/map_one",
  "timestamps/timestamp_arithmetic/add_time_to_duration_nanos_positive",
  "timestamps/timestamp_range/add_duration_under",
  "timestamps/timestamp_range/add_duration_over",
  "timestamps/timestamp_range/add_duration_nanos_over",
  "timestamps/timestamp_range/add_duration_nanos_under",
  "timestamps/timestamp_range/sub_time_duration_over",
  "timestamps/timestamp_range/sub_time_duration_under",
  "timestamps/duration_range/from_string_under",
  "timestamps/duration_range/from_string_over",
  "timestamps/duration_range/add_under",
  "timestamps/duration_range/add_over",
  "timestamps/duration_range/sub_under",
  "timestamps/duration_range/sub_over",
]);

const environment = celEngine({ clock: manualClock("2026-01-01T00:00:00.000Z") }).environment({});

function* casesOf(suite: Suite, path: readonly string[] = []): Generator<readonly [name: string, Case]> {
  for (const { original } of suite.tests ?? []) if (original) yield [[...path, original.name].join("/"), original];
  for (const inner of suite.suites ?? []) yield* casesOf(inner, [...path, inner.name]);
}

/** The result of a case: a boolean, or `"error"`. `undefined` when the guards refuse it or its result is no boolean. */
function outcomeOf({ expr, evalError }: Case): boolean | "error" | undefined {
  const compiled = environment.compile(evalError ? `(${expr}) == (${expr})` : expr);
  if (!compiled.ok) return undefined;
  try {
    return compiled.program.run(environment.values({}));
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ExpressionError);
    return "error";
  }
}

/** Cases without variables that expect a boolean or an error. */
const fitting = [...casesOf(tests as unknown as Suite)].filter(
  ([, { value, evalError, bindings = {} }]) =>
    (value?.boolValue !== undefined || evalError !== undefined) && Object.keys(bindings).length === 0,
);
const taken = fitting.filter(([, each]) => outcomeOf(each) !== undefined);
const expectedOf = ({ value, evalError }: Case) => (evalError ? "error" : value?.boolValue);

describe("the language as its makers test it", () => {
  it("is tested by as many cases as the guard lets through", () => {
    expect(taken.length).toBeGreaterThan(300);
  });

  it.each(taken.filter(([name]) => !DIFFERS.has(name)))("%s", (_name, each) => {
    expect(outcomeOf(each)).toBe(expectedOf(each));
  });

  it("differs in nothing but what is listed, and in all of that", () => {
    const differing = taken.filter(([, each]) => outcomeOf(each) !== expectedOf(each)).map(([name]) => name);
    expect(differing.sort()).toEqual([...DIFFERS].sort());
  });
});
