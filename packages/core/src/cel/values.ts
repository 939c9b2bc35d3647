import type { Environment } from "@marcbachmann/cel-js";
import { ExpressionError, type Field, type ObjectType, type ValueType, type Vocabulary } from "../ports/expressions.js";
import { LIMITS } from "./limits.js";

type Json = Readonly<Record<string, unknown>>;
type Convert = (value: unknown) => unknown;

/** A class for each object type, because the engine determines the type of a value by its class. */
export class ObjectTypes {
  /** How numbers of free maps are read; set for each variable that is converted. */
  readonly reading: Reading = { swapped: false };
  readonly #made = new Map<ObjectType, { readonly ctor: new () => object; readonly convert: Convert }>();

  constructor(readonly environment: Environment) {}

  /** The engine's name for a type. Declares object types at first use. */
  nameOf(type: ValueType): string {
    if (typeof type === "string") return NAMES[type];
    if ("object" in type) return this.#declared(type.object).name;
    return type.list === "string" ? "list<string>" : `list<${this.#declared(type.list).name}>`;
  }

  /** Converts values of a type to the engine's. */
  converter(type: ValueType): Convert {
    if (type === "int") return (value) => BigInt(value as number);
    if (type === "time") return (value) => new Date(value as string);
    if (typeof type === "string") return (value) => value;
    if ("object" in type) return (value) => this.#of(type.object).convert(value);
    const item: Convert = type.list === "string" ? (value) => value : this.#of(type.list).convert;
    return (value) => (value as readonly unknown[]).map(item);
  }

  #declared(type: ObjectType): ObjectType {
    this.#of(type);
    return type;
  }

  #of(type: ObjectType) {
    const known = this.#made.get(type);
    if (known) return known;
    const fields = Object.entries(type.fields);
    const types = Object.fromEntries(fields.map(([name, field]) => [name, this.nameOf(field.type)]));
    // The engine shows this class name in its messages.
    const ctor = { [type.name]: class {} }[type.name] as new () => object;
    this.environment.registerType(type.name, { ctor, fields: types });
    const setters = fields.map(
      ([name, field]) => [name, settingOf(name, field, this.converter(field.type), this.reading)] as const,
    );
    const convert: Convert = (value) => {
      const made = new ctor();
      for (const [name, set] of setters) set(made, (value as Json)[name]);
      return made;
    };
    const entry = { ctor, convert };
    this.#made.set(type, entry);
    return entry;
  }
}

const NAMES = {
  bool: "bool",
  int: "int",
  double: "double",
  string: "string",
  time: "google.protobuf.Timestamp",
  map: "map<string, dyn>",
} as const satisfies Record<Extract<ValueType, string>, string>;

/** How numbers of free maps are read: as they are, or whole ones as broken ones and the other way round. */
interface Reading {
  swapped: boolean;
}

/** Sets one field of an object. An absent value is left out, for `has()`. An unusable value throws when read. */
function settingOf(
  name: string,
  { type }: Field,
  convert: Convert,
  reading: Reading,
): (target: object, value: unknown) => void {
  const converted = type === "map" ? (value: unknown) => plain(value, reading.swapped) : convert;
  return (target, value) => {
    if (value === undefined || value === null) return;
    const fault = typeFault(type, value) ?? (type === "map" ? tooLarge(value) : undefined);
    if (fault === undefined) {
      (target as Record<string, unknown>)[name] = converted(value);
      return;
    }
    const get = () => {
      throw new ExpressionError(`"${name}" ${fault}.`);
    };
    Object.defineProperty(target, name, { enumerable: true, get });
  };
}

/** Why a value does not fit a type; `undefined` when it does. */
function typeFault(type: ValueType, value: unknown): string | undefined {
  const is = typeof value;
  if (typeof type === "object" && "list" in type) {
    if (!Array.isArray(value)) return "is no list";
    if (value.length > LIMITS.listItems) return TOO_LONG;
    const items = type.list === "string" ? "string" : { object: type.list };
    return (
      value.map((item) => typeFault(items, item)).find((fault) => fault !== undefined) &&
      "holds an item of another type"
    );
  }
  if (typeof type === "object" || type === "map")
    return is === "object" && !Array.isArray(value) ? undefined : "is no object";
  if (type === "int") return Number.isSafeInteger(value) ? undefined : "is no whole number";
  if (type === "double") return is === "number" ? undefined : "is no number";
  if (type === "bool") return is === "boolean" ? undefined : "is neither true nor false";
  if (type === "time")
    return is === "string" && !Number.isNaN(Date.parse(value as string)) ? undefined : "is no moment";
  return is === "string" ? undefined : "is no text";
}

const TOO_LONG = `holds a list or a map of more than ${LIMITS.listItems} items`;

/** Why a free map is too large to read. Nested lists and maps have the same limits. */
function tooLarge(value: unknown, depth = 0): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === LIMITS.valueDepth) return `holds lists or maps more than ${LIMITS.valueDepth} deep in one another`;
  const items = Object.values(value);
  if (items.length > LIMITS.listItems) return TOO_LONG;
  for (const item of items) {
    const fault = tooLarge(item, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A value of a free map in the engine's types. Whole numbers become integers, or only the others when `swapped`. */
function plain(value: unknown, swapped: boolean): unknown {
  if (typeof value === "number") {
    const whole = Math.trunc(value);
    return Number.isSafeInteger(whole) && (whole === value) !== swapped ? BigInt(whole) : value;
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, swapped));
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([key, inner]) => [key, plain(inner, swapped)]));
}

/** Variables of an evaluation. One is converted when an expression first reads it, because most read few of them. */
class Variables {
  readonly #input: Json;
  readonly #onto: Variables | undefined;
  readonly #made: Record<string, unknown> = {};
  readonly #seen = new Set<string>();
  readonly #swapped: boolean;

  constructor(input: Json, onto: Variables | undefined, swapped: boolean) {
    this.#input = input;
    this.#onto = onto;
    this.#swapped = swapped;
  }

  /** An unusable value throws at each reading. An absent one is that of the variables below. */
  static read(
    values: Variables,
    name: string,
    set: (target: object, value: unknown) => void,
    reading: Reading,
  ): unknown {
    const value = values.#input[name];
    if (value === undefined || value === null) return (values.#onto as Json | undefined)?.[name];
    if (!values.#seen.has(name)) {
      values.#seen.add(name);
      reading.swapped = values.#swapped;
      set(values.#made, value);
    }
    return values.#made[name];
  }
}

/** Declares all variables of a vocabulary in the environment and returns their converter. */
export function variablesOf(
  vocabulary: Vocabulary,
  environment: Environment,
): (input: Json, onto: object | undefined, swapped: boolean) => object {
  const types = new ObjectTypes(environment);
  // The engine reads variables as properties.
  class Declared extends Variables {}
  for (const [name, field] of Object.entries(vocabulary)) {
    environment.registerVariable(name, types.nameOf(field.type), { description: field.description });
    const set = settingOf(name, field, types.converter(field.type), types.reading);
    Object.defineProperty(Declared.prototype, name, {
      get(this: Variables) {
        return Variables.read(this, name, set, types.reading);
      },
    });
  }
  return (input, onto, swapped) => new Declared(input, onto as Variables | undefined, swapped);
}
