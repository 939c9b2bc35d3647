/** What a value may be in an expression. `map` has text keys and any values; `time` is an ISO 8601 text outside. */
export type ValueType =
  | "bool"
  | "int"
  | "double"
  | "string"
  | "time"
  | "map"
  | { readonly list: "string" | ObjectType }
  | { readonly object: ObjectType };

/** One field that expressions may read. */
export interface Field {
  readonly type: ValueType;
  readonly description: string;
  /** All texts it can hold: comparing it with another is a mistake, found when the expression is written. */
  readonly values?: readonly string[];
  /** May be absent; `has()` tells. A list or a map is never absent, only empty. */
  readonly optional?: true;
  /** Changes by time alone, so what reads it is never known to be unchanged. */
  readonly volatile?: true;
}

/** A kind of object with all the fields it can have. */
export interface ObjectType {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** The variables of an environment, by name. */
export type Vocabulary = Readonly<Record<string, Field>>;

/** What is wrong with an expression, and where: lines and columns count from 1, in UTF-16 units. */
export interface ExpressionFault {
  readonly code:
    | "too_long"
    | "syntax"
    | "too_complex"
    | "unknown_name"
    | "unknown_function"
    | "impossible_value"
    | "type_mismatch"
    | "not_boolean";
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Values of an environment's variables, in the form that its engine computes with; made once for many programs. */
export interface ExpressionValues {
  readonly forEngine: unknown;
}

/** An expression that has been checked against its environment. */
export interface Program {
  /** Paths of the fields it may read, as in `asset.owner.id` or `spec.tools[].name`, sorted. */
  readonly reads: readonly string[];
  /** Whether its result can change by time alone. */
  readonly readsTime: boolean;
  /** The result for these values; throws `ExpressionError` when there is none. `allowance`: what it draws on with others. */
  run(values: ExpressionValues, allowance?: Allowance): boolean;
}

/** What several evaluations may cost together; each takes off what it has cost. */
export interface Allowance {
  steps: number;
}

/** An expression had no result: a value was absent, too long, or of a type it cannot be used as. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

export type Compiled =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** Variables with their types, and what can be done with them. */
export interface ExpressionEnvironment {
  /** Checks an expression. It ends, reads what is declared and gives a boolean, or it does not compile. */
  compile(source: string): Compiled;
  /** Converts values; what is not declared is left out. `onto`: values of this environment, which these are put beside. */
  values(input: Readonly<Record<string, unknown>>, onto?: ExpressionValues): ExpressionValues;
  /** What is declared of a path, as in `asset.name` or, for the items of a list, `spec.tools[]`. */
  fieldAt(path: string): Field | undefined;
}

/** A language for rules. What it runs always ends and touches nothing but the values it is given. */
export interface ExpressionEngine {
  /** Names the language and the version of what computes it. */
  readonly id: string;
  /** Names and signatures of its functions, with what they do. */
  readonly functions: Readonly<Record<string, string>>;
  /** Its limits, for those who write expressions. */
  readonly limits: Readonly<Record<string, number>>;
  environment(vocabulary: Vocabulary): ExpressionEnvironment;
}
