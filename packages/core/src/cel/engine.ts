import { type ASTNode, Environment, EvaluationError, ParseError, type ParseResult } from "@marcbachmann/cel-js";
import type { Clock } from "../ports/clock.js";
import {
  type Compiled,
  type ExpressionEngine,
  type ExpressionEnvironment,
  ExpressionError,
  type ExpressionFault,
  type Field,
  type Program,
  type Vocabulary,
} from "../ports/expressions.js";
import { comparedWith } from "./compared.js";
import { addFunctions, FUNCTIONS, TIME_FUNCTIONS } from "./functions.js";
import { rejectionOf } from "./guards.js";
import { allowEmpty, asTheLanguageSays } from "./language.js";
import { LIMITS } from "./limits.js";
import { meterOn } from "./meter.js";
import { comprehensionOf, fieldAt, pathOf, visit } from "./paths.js";
import { meantBy } from "./unknown-names.js";
import { variablesOf } from "./values.js";

/** The Common Expression Language, without what may not end in time or cannot be checked. */
export function celEngine({ clock }: { readonly clock: Clock }): ExpressionEngine {
  return {
    // Raise the last number whenever the guards accept or refuse something else.
    id: "cel-js/8.0.0+4",
    functions: FUNCTIONS,
    limits: LIMITS,
    environment: (vocabulary) => environmentOf(vocabulary, clock),
  };
}

export const PARSER_LIMITS = {
  maxAstNodes: LIMITS.astNodes,
  maxDepth: LIMITS.depth,
  maxListElements: LIMITS.listElements,
  maxMapEntries: LIMITS.mapEntries,
  maxCallArguments: LIMITS.callArguments,
};

function environmentOf(vocabulary: Vocabulary, clock: Clock): ExpressionEnvironment {
  const environment = new Environment({ limits: PARSER_LIMITS });
  addFunctions(environment, () => clock.now());
  const convert = variablesOf(vocabulary, environment);
  return {
    compile: (source) => compile(environment, vocabulary, source),
    values: (input, onto, swapped = false) => ({
      forEngine: convert(input, onto?.forEngine as object | undefined, swapped),
    }),
    fieldAt: (path) => fieldAt(vocabulary, path),
  };
}

function compile(environment: Environment, vocabulary: Vocabulary, source: string): Compiled {
  if (Buffer.byteLength(source) > LIMITS.sourceBytes)
    return refused(source, "too_long", `An expression has at most ${LIMITS.sourceBytes} bytes.`, 0);
  let parsed: ParseResult;
  try {
    parsed = environment.parse(source);
  } catch (thrown) {
    if (!(thrown instanceof ParseError)) throw thrown;
    const code = thrown.code.includes("limit") ? "too_complex" : "syntax";
    return refused(source, code, thrown.summary, thrown.range?.start ?? 0);
  }
  // Runs before the type check, because that would accept refused functions and describe unknown ones in other words.
  const objection = rejectionOf(parsed.ast, vocabulary);
  if (objection) return refused(source, objection.code, objection.message, objection.at);
  allowEmpty(parsed.ast);
  const { valid, type, error } = parsed.check();
  if (!valid) {
    const summary = error?.summary ?? "The types of it do not fit one another.";
    const code = TYPE_FAULTS[error?.code ?? ""] ?? "type_mismatch";
    const at = error?.range?.start ?? 0;
    return refused(
      source,
      code,
      code === "unknown_name" ? `${summary}${meantBy(parsed.ast, vocabulary)}` : summary,
      at,
    );
  }
  if (type !== "bool") return refused(source, "not_boolean", `It gives ${type}; a rule is true or false.`, 0);
  return { ok: true, program: programOf(parsed, vocabulary) };
}

const TYPE_FAULTS: Readonly<Record<string, ExpressionFault["code"]>> = {
  no_such_key: "unknown_name",
  unknown_variable: "unknown_name",
};

function refused(source: string, code: ExpressionFault["code"], message: string, at: number): Compiled {
  const before = source.slice(0, at).split("\n");
  return { ok: false, fault: { code, message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
}

function programOf(parsed: ParseResult, vocabulary: Vocabulary): Program {
  const { reads, whole, functions } = usesOf(parsed.ast);
  const requires = requirementOf(parsed.ast, vocabulary);
  asTheLanguageSays(parsed.ast);
  const meter = meterOn(parsed.ast);
  return {
    ...(requires ? { requires } : {}),
    reads,
    readsTime:
      functions.some((name) => TIME_FUNCTIONS.has(name)) || whole.some((path) => isVolatile(fieldAt(vocabulary, path))),
    comparedWith: (path) => comparedWith(parsed.ast, path),
    run({ forEngine }, allowance) {
      let result: unknown;
      meter.start(allowance);
      try {
        result = parsed(forEngine as Record<string, unknown>);
      } catch (thrown) {
        throw errorOf(thrown);
      } finally {
        meter.end(allowance);
      }
      if (typeof result !== "boolean") throw new ExpressionError("It gave no boolean.");
      return result;
    },
  };
}

/**
 * The error of an evaluation. The library throws errors of the runtime for timestamps out of range, invalid numbers and
 * full stacks. They too mean that there is no result.
 */
export function errorOf(thrown: unknown): ExpressionError {
  if (thrown instanceof ExpressionError) return thrown;
  if (thrown instanceof EvaluationError) return new ExpressionError(thrown.summary);
  return new ExpressionError(`It could not be computed: ${(thrown as Error).message}.`);
}

/**
 * The comparison of a field with a text that an expression evaluates first, and is false without. Entries of free maps are
 * left out, because to read one may fail.
 */
function requirementOf(node: ASTNode, vocabulary: Vocabulary): Program["requires"] {
  if (node.op === "&&") return requirementOf(node.args[0], vocabulary);
  if (node.op !== "==") return undefined;
  const [left, right] = node.args;
  const [field, value] = right.op === "value" ? [left, right] : [right, left];
  const path = pathOf(field, new Map());
  if (path === undefined || path.includes("[]") || value.op !== "value" || typeof value.args !== "string")
    return undefined;
  return fieldAt(vocabulary, path)?.type === "string" ? { path: path.split("."), text: value.args } : undefined;
}

interface Uses {
  /** The longest paths that it reads, and shorter ones whose values it uses as they are. */
  readonly reads: readonly string[];
  /** The paths whose values it uses as they are, and not only to read something below. */
  readonly whole: readonly string[];
  readonly functions: readonly string[];
}

function usesOf(ast: ASTNode): Uses {
  const [paths, whole, kept, functions] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  const [holders, indexed] = [new Set<ASTNode>(), new Set<ASTNode>()];
  visit(ast, (node, scope) => {
    if (node.op === "call" || node.op === "rcall") functions.add(node.args[0]);
    const path = pathOf(node, scope);
    if (path !== undefined) paths.add(path);
    const holder = holderOf(node);
    if (holder) holders.add(holder);
    if (node.op === "[]") indexed.add(node.args[0]);
    // A node is visited before the one that it reads a field of.
    if (path === undefined || holders.has(node)) return;
    whole.add(path);
    if (!indexed.has(node)) kept.add(path);
  });
  const all = [...paths].sort();
  const reads = all.filter(
    (path) => kept.has(path) || !all.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[]`)),
  );
  return { reads, whole: [...whole], functions: [...functions] };
}

/** The node of which another reads only one field, whose path is known, or only how many items it has. */
function holderOf(node: ASTNode): ASTNode | undefined {
  if (node.op === ".") return node.args[0];
  if (node.op === "[]" && node.args[1].op === "value" && typeof node.args[1].args === "string") return node.args[0];
  if (node.op === "call" && node.args[0] === "size") return node.args[1][0];
  if (node.op === "rcall" && node.args[0] === "size") return node.args[1];
  const comprehension = comprehensionOf(node);
  // A filter gives the items themselves.
  return comprehension?.name === "filter" ? undefined : comprehension?.receiver;
}

/** Whether time alone changes a field, or something within it. An object may be read where its path is not known. */
function isVolatile(field: Field | undefined): boolean {
  if (field === undefined) return false;
  if (field.volatile) return true;
  if (typeof field.type !== "object") return false;
  const type = "object" in field.type ? field.type.object : field.type.list;
  return typeof type === "object" && Object.values(type.fields).some(isVolatile);
}
