import { Environment, Optional, ParseError, type ParseResult } from "@marcbachmann/cel-js";
import type { Clock } from "../ports/clock.js";
import { type Allowance, ExpressionError, type Vocabulary } from "../ports/expressions.js";
import { errorOf, PARSER_LIMITS } from "./engine.js";
import { addFunctions } from "./functions.js";
import { rejectionOf } from "./guards.js";
import { allowEmpty, asTheLanguageSays } from "./language.js";
import { LIMITS } from "./limits.js";
import { meterOn } from "./meter.js";
import { variablesOf } from "./values.js";

/** What an expression gives where a member that it asks for by `.?` is not there. */
export const ABSENT = Symbol("absent");

/** An expression that gives a value of JSON. */
export interface ValueProgram {
  /** Throws `ExpressionError` where there is none. */
  run(values: unknown, allowance?: Allowance): unknown;
}

/** Expressions over some variables that give values of JSON, within the same limits as rules. */
export interface ValueEnvironment {
  /** The program, or what is wrong with the source. */
  compile(source: string): ValueProgram | string;
  values(input: Readonly<Record<string, unknown>>): unknown;
}

/** What optional members add to the functions of rules. */
const OPTIONAL = ["orValue", "hasValue"] as const;

/** CEL with optional members, as others write it to map one thing onto another. */
export function valueEnvironment(vocabulary: Vocabulary, clock: Clock): ValueEnvironment {
  const environment = new Environment({ limits: PARSER_LIMITS, enableOptionalTypes: true });
  addFunctions(environment, () => clock.now());
  const convert = variablesOf(vocabulary, environment);
  return {
    compile: (source) => compile(environment, vocabulary, source),
    values: (input) => convert(input, undefined, false),
  };
}

function compile(environment: Environment, vocabulary: Vocabulary, source: string): ValueProgram | string {
  if (Buffer.byteLength(source) > LIMITS.sourceBytes) return `An expression has at most ${LIMITS.sourceBytes} bytes.`;
  let parsed: ParseResult;
  try {
    parsed = environment.parse(source);
  } catch (thrown) {
    if (!(thrown instanceof ParseError)) throw thrown;
    return thrown.summary;
  }
  const objection = rejectionOf(parsed.ast, vocabulary, OPTIONAL);
  if (objection) return objection.message;
  allowEmpty(parsed.ast);
  const { valid, error } = parsed.check();
  if (!valid) return error?.summary ?? "The types of it do not fit one another.";
  asTheLanguageSays(parsed.ast);
  const meter = meterOn(parsed.ast);
  return {
    run(values, allowance) {
      meter.start(allowance);
      try {
        return jsonOf(parsed(values as Record<string, unknown>));
      } catch (thrown) {
        throw errorOf(thrown);
      } finally {
        meter.end(allowance);
      }
    },
  };
}

/** A value of the engine as JSON has it. */
function jsonOf(value: unknown): unknown {
  if (value instanceof Optional) return value.hasValue() ? jsonOf(value.value()) : ABSENT;
  return innerOf(value);
}

function innerOf(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) return Number(value);
  if (Array.isArray(value)) return value.map(innerOf);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, inner]) => [String(name), innerOf(inner)]));
  if (typeof value === "object" && isPlain(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, innerOf(inner)]));
  throw new ExpressionError("It gives no value of JSON.");
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
