import type { z } from "zod";
import { descriptionOf } from "../../packages/core/src/kernel/pipeline/openapi/field-descriptions.js";
import { comment } from "./comments.js";
import { braces, type SharedTypes } from "./shared-types.js";

type Io = "input" | "output";

/** The part of a zod schema that is read here. */
export interface Schema {
  readonly _zod: { readonly def: { readonly type: string } };
  meta(): { readonly id?: string | undefined; readonly enum?: readonly unknown[] } | undefined;
}

/** The definitions of all kinds of schemas; each kind has some of the members. */
interface Def {
  readonly type: string;
  readonly innerType: Schema;
  /** Input and output of a pipe. */
  readonly in: Schema;
  readonly out: Schema;
  readonly left: Schema;
  readonly right: Schema;
  readonly element: Schema;
  readonly keyType: Schema;
  readonly valueType: Schema;
  readonly options: readonly Schema[];
  readonly values: readonly unknown[];
  readonly entries: Readonly<Record<string, string>>;
  readonly shape: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
}

const defOf = (schema: Schema) => schema._zod.def as Def;
const union = (texts: readonly unknown[]) => {
  const quoted = texts.map((value) => JSON.stringify(value));
  const isSort = texts.length > 1 && texts.every((text, at) => at % 2 === 0 || text === `-${texts[at - 1]}`);
  return isSort ? `Sort<${quoted.filter((_, at) => at % 2 === 0).join(" | ")}>` : quoted.join(" | ");
};

/** Prints schemas as TypeScript. With `shared`, repeated types are declared once and referenced by name. */
export class SchemaTypes {
  /** The fields that no schema describes. */
  readonly undescribed = new Set<string>();
  /** Describes the filters of a list that do not say themselves what they are of. */
  describeFilter: ((name: string) => string | undefined) | undefined;

  /** Without `shared`, all types are printed inline. */
  constructor(
    readonly shared?: SharedTypes,
    /** Open bodies. Callers in process may only use their known properties. */
    readonly closed: ReadonlySet<Schema> = new Set(),
  ) {}

  /** The type of a request (`input`) or an answer (`output`). `key` is the property that has it. */
  of(schema: Schema, io: Io, key: string): string {
    const def = defOf(schema);
    const words = schema.meta()?.enum;
    if (words) return `${this.#enum(union(words), key)}${def.type === "optional" ? " | undefined" : ""}`;
    switch (def.type) {
      case "string":
      case "number":
      case "boolean":
      case "null":
      case "undefined":
      case "unknown":
      case "never":
        return def.type;
      case "literal":
        return union(def.values);
      case "enum":
        return this.#enum(union(Object.values(def.entries)), key);
      case "array":
        return arrayOf(this.of(def.element, io, singular(key)));
      case "record":
        return `Record<${this.of(def.keyType, io, key)}, ${this.of(def.valueType, io, key)}>`;
      case "nullable":
        return `${this.of(def.innerType, io, key)} | null`;
      case "optional": {
        const isTwice = defOf(def.innerType).type === "optional";
        return `${this.of(def.innerType, io, key)}${isTwice ? "" : " | undefined"}`;
      }
      case "default":
        return this.of(def.innerType, io, key) + (io === "input" ? " | undefined" : "");
      case "intersection":
        return `${this.of(def.left, io, key)} & ${this.of(def.right, io, key)}`;
      case "union":
        return def.options.map((option) => this.of(option, io, key)).join(" | ");
      // A transform accepts anything, so callers in process give its output type.
      case "pipe":
        return this.of(io === "input" && defOf(def.in).type !== "transform" ? def.in : def.out, io, key);
      case "object":
        return this.#object(schema, io, key);
      default:
        throw new Error(`schemas of operations have no ${def.type}: add how its type is printed`);
    }
  }

  /** What is said of a field. Notes one of which nothing is said. */
  #describe(schema: Schema, key: string, path: string): string {
    const text = descriptionOf(schema as z.ZodType) ?? this.describeFilter?.(key);
    if (text === undefined) this.undescribed.add(path);
    return text ?? "";
  }

  #enum(text: string, key: string): string {
    return this.shared ? this.shared.union(key, text) : text;
  }

  /** Named by its id in answers and bodies, and in other inputs if they do not differ. */
  #object(schema: Schema, io: Io, key: string): string {
    if (!this.shared) return braces(this.#members(schema, io, key));
    const id = schema.meta()?.id;
    const outline = outlineOf(schema, io);
    if (id === undefined) return this.shared.object(key, outline, () => this.#members(schema, io, key));
    const name =
      io === "output" || this.closed.has(schema) || outlineOf(schema, "output") === outline ? id : `${id}Input`;
    return this.shared.interface(name, () => this.#members(schema, io, name));
  }

  #members(schema: Schema, io: Io, owner: string): string[] {
    const { shape, catchall } = defOf(schema);
    const members = Object.entries(shape).map(([key, value]) => {
      const { type } = defOf(value);
      const optional = type === "optional" || (type === "default" && io === "input");
      const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
      const note = this.shared ? comment(this.#describe(value, key, `${owner}.${key}`)) : "";
      return `${note}${name}${optional ? "?" : ""}: ${this.of(value, io, `${owner}.${key}`)};`;
    });
    if (catchall && defOf(catchall).type !== "never" && !this.closed.has(schema))
      members.push(`[name: string]: ${this.of(catchall, io, `${owner}.value`)};`);
    return members;
  }
}

const outlines = { input: new WeakMap<Schema, string>(), output: new WeakMap<Schema, string>() };

/** The whole type as text, for comparing types. */
function outlineOf(schema: Schema, io: Io): string {
  const outline = outlines[io].get(schema) ?? new SchemaTypes().of(schema, io, "");
  outlines[io].set(schema, outline);
  return outline;
}

const arrayOf = (element: string) => (/[ |]/.test(element) ? `(${element})[]` : `${element}[]`);

const singular = (key: string) => key.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
