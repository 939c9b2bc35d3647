/**
 * The type of a value in an expression. A `map` has text keys and values of any type. A `time` is given as ISO 8601
 * text.
 */
export type ValueType =
  | "bool"
  | "int"
  | "double"
  | "string"
  | "time"
  | "map"
  | { readonly list: "string" | ObjectType }
  | { readonly object: ObjectType };

/** A field that expressions may read. */
export interface Field {
  readonly type: ValueType;
  readonly description: string;
  /** All texts it can hold. An expression that compares it with another does not compile. */
  readonly values?: readonly string[];
  /** May be absent; `has()` tells. Lists and maps are never absent, only empty. */
  readonly optional?: true;
  /** Changes with time alone, so a result that depends on it cannot be reused. */
  readonly volatile?: true;
}

/** An object type with all its fields. */
export interface ObjectType {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** The variables of an environment, by name. */
export type Vocabulary = Readonly<Record<string, Field>>;

/** A fault in an expression and its position. Lines and columns count from 1, in UTF-16 units. */
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

/** Converted values of an environment's variables. Make them once for many programs. */
export interface ExpressionValues {
  readonly forEngine: unknown;
}

/** A checked expression. */
export interface Program {
  /** Paths of the fields it may read, such as `asset.owner.id` or `spec.tools[].name`, sorted. */
  readonly reads: readonly string[];
  /** Whether its result can change by time alone. */
  readonly readsTime: boolean;
  /**
   * What it asks first: the field at a path must have this text. With another text it is false, whatever the rest says,
   * so a caller need not run it.
   */
  readonly requires?: { readonly path: readonly string[]; readonly text: string };
  /** The texts and other fields that the field at a path is compared with, as in `action.name in ["read", "write"]`. */
  comparedWith(path: string): Compared;
  /**
   * The result for these values. Throws `ExpressionError` when there is none. `allowance` is a budget shared with other
   * evaluations.
   */
  run(values: ExpressionValues, allowance?: Allowance): boolean;
}

/** What an expression compares a field with. */
export interface Compared {
  readonly texts: readonly string[];
  readonly paths: readonly string[];
}

/** A budget shared by several evaluations. Each subtracts its cost. */
export interface Allowance {
  steps: number;
}

/** An expression had no result: a value was absent, too long or of the wrong type. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

export type Compiled =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** Typed variables, and the expressions over them. */
export interface ExpressionEnvironment {
  /** Checks an expression. It compiles only if it ends, reads declared fields only and gives a boolean. */
  compile(source: string): Compiled;
  /**
   * Converts values and drops undeclared ones. `onto`: values of this environment to which these are added. `swapped`: whole
   * numbers of free maps get the type of broken ones, and broken ones, without their fraction, that of whole ones.
   */
  values(input: Readonly<Record<string, unknown>>, onto?: ExpressionValues, swapped?: boolean): ExpressionValues;
  /** The declaration of a path, such as `asset.name`, or `spec.tools[]` for the items of a list. */
  fieldAt(path: string): Field | undefined;
}

/** A language for rules. Every evaluation ends and uses nothing but the given values. */
export interface ExpressionEngine {
  /** Names the language and the version of its implementation. */
  readonly id: string;
  /** The signature and meaning of each function, by name. */
  readonly functions: Readonly<Record<string, string>>;
  /** Its limits, for authors of expressions. */
  readonly limits: Readonly<Record<string, number>>;
  environment(vocabulary: Vocabulary): ExpressionEnvironment;
}
