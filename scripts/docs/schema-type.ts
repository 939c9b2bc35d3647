type Io = "input" | "output";

/** What is read of a schema of zod. */
export interface Schema {
  readonly _zod: { readonly def: { readonly type: string } };
  meta(): { readonly id?: string | undefined } | undefined;
}

/** What the kinds of schemas say, each its own part of it. */
interface Def {
  readonly type: string;
  readonly innerType: Schema;
  /** What a pipe takes and what it gives. */
  readonly in: Schema;
  readonly out: Schema;
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

/** Prints schemas as TypeScript. Those with an id become interfaces, printed once and named wherever they are used. */
export class SchemaTypes {
  /** Declarations by name, in the order of their names. */
  readonly #declared = new Map<string, string>();

  declarations(): string[] {
    return [...this.#declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  /** The type of what is sent (`input`) or answered (`output`). */
  of(schema: Schema, io: Io): string {
    const id = schema.meta()?.id;
    return id === undefined || defOf(schema).type !== "object" ? this.#print(schema, io) : this.#named(id, schema, io);
  }

  /** `id` for what is answered, and for what is sent where that is no different. */
  #named(id: string, schema: Schema, io: Io): string {
    const answered = new SchemaTypes().#object(schema, "output");
    const same = io === "output" || answered === new SchemaTypes().#object(schema, "input");
    const name = same ? id : `${id}Input`;
    this.#declared.set(name, `interface ${name} ${this.#object(schema, same ? "output" : "input")}`);
    return name;
  }

  #print(schema: Schema, io: Io): string {
    const def = defOf(schema);
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
        return def.values.map((value) => JSON.stringify(value)).join(" | ");
      case "enum":
        return Object.values(def.entries)
          .map((value) => JSON.stringify(value))
          .join(" | ");
      case "array":
        return arrayOf(this.of(def.element, io));
      case "record":
        return `Record<${this.of(def.keyType, io)}, ${this.of(def.valueType, io)}>`;
      case "nullable":
        return `${this.of(def.innerType, io)} | null`;
      case "optional":
        return `${this.of(def.innerType, io)} | undefined`;
      case "default":
        return this.of(def.innerType, io) + (io === "input" ? " | undefined" : "");
      case "union":
        return def.options.map((option) => this.of(option, io)).join(" | ");
      // What is read by a function takes anything; callers in process hand over what it gives.
      case "pipe":
        return this.of(io === "input" && defOf(def.in).type !== "transform" ? def.in : def.out, io);
      case "object":
        return this.#object(schema, io);
      default:
        throw new Error(`schemas of operations have no ${def.type}: add how its type is printed`);
    }
  }

  #object(schema: Schema, io: Io): string {
    const { shape, catchall } = defOf(schema);
    const members = Object.entries(shape).map(([key, value]) => {
      const { type } = defOf(value);
      const optional = type === "optional" || (type === "default" && io === "input");
      const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
      return `${name}${optional ? "?" : ""}: ${this.of(value, io)};`;
    });
    if (catchall && defOf(catchall).type !== "never") members.push(`[name: string]: ${this.of(catchall, io)};`);
    return members.length === 0 ? "Record<string, never>" : `{ ${members.join(" ")} }`;
  }
}

const arrayOf = (element: string) => (/[ |]/.test(element) ? `(${element})[]` : `${element}[]`);
