import { celEngine } from "#cel/engine.js";
import { LIMITS } from "#cel/limits.js";
import type { AssetType } from "#families/estate/index.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { FieldError } from "#kernel/http/errors.js";
import { cutText, nameOf } from "#kernel/records/cut-text.js";
import { valueAt } from "#kernel/records/value-at.js";
import type { ExpressionEnvironment, Field, Program } from "#ports/expressions.js";
import type { PolicyKind } from "../fields.js";
import { isRuntime, type PolicyFields, type Rule } from "../fields.js";
import { textsOf } from "../rule-obligations.js";
import { postureVocabulary, runtimeVocabulary } from "./vocabulary.js";

/** A fault of a policy. */
export interface PolicyFault {
  /** JSON pointer into the policy. */
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  /** Where in the expression it is, from 1; absent where the fault is of no place in it. */
  readonly line?: number;
  readonly column?: number;
}

/** The faults of a policy as a refusal names them. */
export const errorsOf = (faults: readonly PolicyFault[]): (FieldError & Pick<PolicyFault, "pointer">)[] =>
  faults.map(({ pointer, code, message }) => ({ pointer, code, message }));

/** A compiled rule. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly environment: ExpressionEnvironment;
  readonly when: Program | undefined;
  readonly condition: Program;
  /** Paths of the fields it may read, sorted, without duplicates. */
  readonly reads: readonly string[];
}

/** A compiled policy, without the parts that have faults. */
export interface CompiledPolicy {
  readonly environment: ExpressionEnvironment;
  /** Types and environments of its assets. Empty for any. */
  readonly about: Pick<PolicyFields["selector"], "assetTypes" | "environments">;
  readonly selector: Program | undefined;
  readonly rules: readonly CompiledRule[];
  /** Paths of the fields and lists that its selector and rules may read, sorted, without duplicates. */
  readonly reads: readonly string[];
  /** Whether time alone can change its results. */
  readonly readsTime: boolean;
}

/** The result of compiling a policy. */
export interface Compilation {
  /** The expressions that compile. */
  readonly compiled: CompiledPolicy;
  readonly faults: readonly PolicyFault[];
}

export type PolicySource = Pick<PolicyFields, "selector" | "rules" | "params"> & { readonly kind: PolicyKind };

/** The engine, with a cached environment per kind of policy and asset type. */
const languages = defineService("governance.expressions", (env) => {
  const engine = celEngine(env);
  const known = new Map<string, ExpressionEnvironment>();
  return {
    engine,
    /** `list` is the path of the list whose items are the variable `item`. */
    of(kind: PolicyKind, assetType: AssetType | undefined, list = "", item?: Field): ExpressionEnvironment {
      const key = `${kind} ${assetType} ${list}`;
      const made =
        known.get(key) ??
        engine.environment(kind === "runtime" ? runtimeVocabulary(assetType) : postureVocabulary(assetType, item));
      known.set(key, made);
      return made;
    },
  };
});

/** The expression engine of rules. */
export const engineOf = (env: Environment) => env.use(languages).engine;

/** Compiles all expressions of a policy. The result leaves out those with faults. */
export function compilePolicy(env: Environment, { kind, selector, rules, params }: PolicySource): Compilation {
  const [only, ...others] = selector.assetTypes;
  const assetType = others.length === 0 ? only : undefined;
  const environment = env.use(languages).of(kind, assetType);
  const faults: PolicyFault[] = [];
  let bytes = 0;
  const compile = (within: ExpressionEnvironment, pointer: string, source: string | null | undefined) => {
    if (source === undefined || source === null) return undefined;
    bytes += Buffer.byteLength(source);
    if (bytes > LIMITS.policyBytes) {
      const message = `All expressions of a policy have at most ${LIMITS.policyBytes} bytes together.`;
      faults.push({ pointer, code: "too_long", message });
      return undefined;
    }
    const result = within.compile(source);
    if (!result.ok) {
      const { code, message, line, column } = result.fault;
      faults.push({ pointer, code, message: `${message} (line ${line}, column ${column})`, line, column });
      return undefined;
    }
    const unknown = unknownParam(result.program, params);
    if (unknown === undefined) return result.program;
    faults.push({ pointer, code: "unknown_name", message: `"params.${unknown}" is not among the parameters.` });
    return undefined;
  };
  const compiledRules = rules.flatMap((rule, index): CompiledRule[] => {
    const pointer = `/rules/${index}`;
    const within = withItem(env, kind, assetType, environment, rule);
    if (!within) {
      faults.push({
        pointer: `${pointer}/forEach`,
        code: "unknown_name",
        message: "It is no list that rules can read.",
      });
      return [];
    }
    const when = compile(within, `${pointer}/when`, rule.when);
    const name = isRuntime(rule) ? "if" : "assert";
    const condition = compile(within, `${pointer}/${name}`, isRuntime(rule) ? rule.if : rule.assert);
    faults.push(...textFaults(within, pointer, rule));
    return condition ? [{ rule, environment: within, when, condition, reads: readsOf([when, condition]) }] : [];
  });
  const selecting = compile(environment, "/selector/expression", selector.expression);
  const programs = [selecting, ...compiledRules.flatMap(({ when, condition }) => [when, condition])];
  const compiled = {
    environment,
    about: selector,
    selector: selecting,
    rules: compiledRules,
    reads: readsOf(programs, rules.flatMap(listOf)),
    readsTime: programs.some((program) => program?.readsTime),
  };
  return { compiled, faults };
}

function readsOf(programs: readonly (Program | undefined)[], lists: readonly string[] = []): string[] {
  return [...new Set([...lists, ...programs.flatMap((program) => program?.reads ?? [])])].sort();
}

/** The path of the list that a rule iterates over. */
function listOf(rule: Rule): string[] {
  return isRuntime(rule) || rule.forEach === undefined ? [] : [rule.forEach];
}

/** The environment of a rule: that of its policy, with `item` when it iterates over a list. */
function withItem(
  env: Environment,
  kind: PolicyKind,
  assetType: AssetType | undefined,
  environment: ExpressionEnvironment,
  rule: Rule,
): ExpressionEnvironment | undefined {
  if (isRuntime(rule) || rule.forEach === undefined) return environment;
  const list = environment.fieldAt(rule.forEach);
  const item = environment.fieldAt(`${rule.forEach}[]`);
  if (!item || typeof list?.type !== "object" || !("list" in list.type)) return undefined;
  return env.use(languages).of(kind, assetType, rule.forEach, item);
}

function unknownParam({ reads }: Program, params: PolicySource["params"]): string | undefined {
  const named = reads.filter((path) => path.startsWith("params.")).map((path) => path.split(/[.[]/)[1] as string);
  return named.find((name) => !Object.hasOwn(params, name));
}

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Placeholders of a message and of obligations, and the locus, must name a value that can be written as text. */
function textFaults(environment: ExpressionEnvironment, pointer: string, rule: Rule): PolicyFault[] {
  const owed = isRuntime(rule) ? (rule.obligations ?? []) : [];
  const texts = [
    [`${pointer}/message`, rule.message] as const,
    ...owed.flatMap((one, at) => textsOf(one).map((text) => [`${pointer}/obligations/${at}`, text] as const)),
  ];
  const named = texts.flatMap(([at, text]) => [...text.matchAll(PLACEHOLDER)].map(([, path]) => [at, path as string]));
  const locus = !isRuntime(rule) && rule.locus !== undefined ? [[`${pointer}/locus`, rule.locus]] : [];
  return [...named, ...locus].flatMap(([at, path]) => {
    const type =
      environment.fieldAt(path as string)?.type ?? (isInMap(environment, path as string) ? "string" : undefined);
    if (typeof type === "string" && type !== "map") return [];
    return [
      {
        pointer: at as string,
        code: "unknown_name",
        message: `"${path}" is no text, number or moment that the rule can read.`,
      },
    ];
  });
}

/** Whether a path is below a free map, where any value is possible. */
function isInMap(environment: ExpressionEnvironment, path: string): boolean {
  const steps = path.split(".");
  return steps.some((_, index) => environment.fieldAt(steps.slice(0, index).join("."))?.type === "map");
}

/** Fills the placeholders of a message. An absent value becomes a dash. */
export function messageOf({ message }: Pick<Rule, "message">, values: object, read = textAt): string {
  if (!message.includes("{")) return cutText(message, 1_000);
  return cutText(
    message.replaceAll(PLACEHOLDER, (_, path: string) => read(values, path) ?? "–"),
    1_000,
  );
}

/** A value as text. `undefined` when it is absent, or no text, number, boolean or time. */
export function textAt(values: object, path: string): string | undefined {
  const value = valueAt(values, path.split("."));
  return ["string", "number", "boolean"].includes(typeof value) ? nameOf(String(value)) : undefined;
}
