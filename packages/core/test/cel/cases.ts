import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { celEngine } from "#cel/engine.js";
import { manualClock } from "#ports/clock.js";
import { ExpressionError, type ValueType, type Vocabulary } from "#ports/expressions.js";

/** A value as the suite writes it, in the JSON of protocol buffers. */
interface Value {
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | "NaN" | "Infinity" | "-Infinity";
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly boolValue?: boolean;
  readonly nullValue?: null;
  readonly listValue?: { readonly values?: readonly Value[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: Value; readonly value: Value }[] };
}

/** A case of the official conformance suite of CEL. Without a value, an error or a typed result it means true. */
export interface Case {
  readonly name: string;
  readonly expr: string;
  readonly value?: Value;
  readonly typedResult?: { readonly result?: Value };
  readonly checkOnly?: boolean;
  readonly evalError?: object;
  readonly bindings?: Readonly<Record<string, { readonly value?: Value }>>;
  readonly typeEnv?: readonly {
    readonly name: string;
    readonly ident?: { readonly type?: { readonly primitive?: string } };
  }[];
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original?: Case }[];
}

/** Every case of the suite, by its path. */
export const cases: readonly (readonly [name: string, Case])[] = [...casesOf(tests as unknown as Suite)];

function* casesOf(suite: Suite, path: readonly string[] = []): Generator<readonly [string, Case]> {
  for (const { original } of suite.tests ?? [])
    if (original) yield [[...path, original.name.replaceAll("/", " ")].join("/"), original];
  for (const inner of suite.suites ?? []) yield* casesOf(inner, [...path, inner.name]);
}

const engine = celEngine({ clock: manualClock("2026-01-01T00:00:00.000Z") });

/**
 * What comes of a case: `right`, or how the engine differs. An expression is refused when it is written, which is as good as an
 * error where the suite wants one.
 */
export function outcomeOf(given: Case): string {
  const variables = variablesOf(given);
  if (typeof variables === "string") return variables;
  const source = sourceOf(given);
  if (source === undefined) return "no literal: a value of protocol buffers, or a type";
  const environment = engine.environment(variables.vocabulary);
  const compiled = environment.compile(source);
  if (!compiled.ok) return given.evalError ? "right" : `refused: ${compiled.fault.code}: ${compiled.fault.message}`;
  if (given.checkOnly) return "right";
  const result = resultOf(() => compiled.program.run(environment.values(variables.values)));
  return result === (given.evalError ? "error" : true) ? "right" : `gives ${result}`;
}

function resultOf(run: () => boolean): boolean | "error" {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return "error";
    throw thrown;
  }
}

/** An expression that is true when the case gives what it should. Rules give booleans alone. */
function sourceOf({ expr, value, typedResult, evalError, checkOnly }: Case): string | undefined {
  if (evalError || checkOnly) return `(${expr}) == (${expr})`;
  const wanted = value ?? typedResult?.result;
  if (!wanted) return expr;
  if (wanted.doubleValue === "NaN") return `!((${expr}) == (${expr}))`;
  const literal = literalOf(wanted);
  return literal && `(${expr}) == (${literal})`;
}

function literalOf(value: Value): string | undefined {
  if (value.int64Value !== undefined) return value.int64Value;
  if (value.uint64Value !== undefined) return `${value.uint64Value}u`;
  if (value.doubleValue !== undefined) return doubleOf(value.doubleValue);
  if (value.stringValue !== undefined) return JSON.stringify(value.stringValue);
  if (value.bytesValue !== undefined) return bytesOf(value.bytesValue);
  if (value.boolValue !== undefined) return String(value.boolValue);
  if ("nullValue" in value) return "null";
  if (value.listValue) return joined(value.listValue.values?.map(literalOf) ?? [], "[", "]");
  const pairs = value.mapValue?.entries?.map((entry) => {
    const [key, held] = [literalOf(entry.key), literalOf(entry.value)];
    return key && held && `${key}: ${held}`;
  });
  return value.mapValue && joined(pairs ?? [], "{", "}");
}

const joined = (parts: readonly (string | undefined)[], open: string, close: string) =>
  parts.includes(undefined) ? undefined : `${open}${parts.join(", ")}${close}`;

const doubleOf = (value: NonNullable<Value["doubleValue"]>) =>
  typeof value === "string" ? `double("${value}")` : /[.e]/.test(String(value)) ? String(value) : `${value}.0`;

const bytesOf = (base64: string) =>
  `b"${[...Buffer.from(base64, "base64")].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;

const TYPES: Readonly<Record<string, ValueType>> = { BOOL: "bool", INT64: "int", DOUBLE: "double", STRING: "string" };

/** The variables of a case as fields of rules, or why they can be none. */
function variablesOf({ typeEnv = [], bindings = {} }: Case) {
  const vocabulary: Record<string, Vocabulary[string]> = {};
  for (const { name, ident } of typeEnv) {
    const type = TYPES[ident?.type?.primitive ?? ""];
    if (!type || name.includes(".")) return "a variable of a type that fields of rules do not have";
    vocabulary[name] = { type, description: name };
  }
  const values: Record<string, unknown> = {};
  for (const [name, { value = {} }] of Object.entries(bindings)) {
    const { int64Value, doubleValue, stringValue, boolValue } = value;
    const held = int64Value === undefined ? (doubleValue ?? stringValue ?? boolValue) : Number(int64Value);
    if (!(name in vocabulary) || held === undefined) return "a variable of a type that fields of rules do not have";
    values[name] = held;
  }
  return { vocabulary, values };
}
