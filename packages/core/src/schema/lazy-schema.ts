import type { z } from "zod";

/** A step that makes a schema of another one: the name of a method of zod, and what it is given. */
type Step = readonly [method: string, given: readonly unknown[]];

/** Methods that give a schema of the same properties, or of others that are told from what they are given. */
const SAME_SHAPE = new Set(["meta", "describe", "strict", "loose", "refine", "superRefine", "clone", "register"]);

/**
 * Other methods that give a new schema. A method that is in neither list makes the schema at once, and is as right. One that gives a
 * schema that exists, as `unwrap`, must not be here: notes are of that one.
 */
const STEPS = [
  ...["optional", "nullable", "nullish", "default", "catch", "array", "readonly", "transform", "pipe", "overwrite"],
  ...["min", "max", "length", "regex", "gt", "gte", "lt", "lte", "int", "positive", "nonnegative", "multipleOf"],
  ...["startsWith", "endsWith", "includes", "trim", "toLowerCase", "normalize", "exclude", "extract", "nonempty"],
  ...["or", "and", "check", "brand", "catchall", "partial", "required", "extend", "safeExtend", "pick", "omit"],
  ...SAME_SHAPE,
];

type Shape = Record<string, z.ZodType>;
type Meta = Readonly<Record<string, unknown>>;

/**
 * A schema that is made when first asked for anything but another schema of it. Declaring one thus costs next to nothing, and
 * a process makes only those that it uses.
 */
export class LazySchema {
  #make: (() => z.ZodType) | undefined;
  #made: z.ZodType | undefined;
  #then: ((made: z.ZodType) => void) | undefined;
  readonly #meta: (() => Meta | undefined) | undefined;
  #shape: (() => Shape) | undefined;

  /** Its properties and what is said of it are given where they are known without the schema. */
  constructor(make: () => z.ZodType, meta?: () => Meta | undefined, shape?: () => Shape) {
    this.#make = make;
    this.#meta = meta;
    this.#shape = shape;
  }

  static is(value: unknown): value is LazySchema {
    return typeof value === "object" && value !== null && #make in value;
  }

  static real(schema: LazySchema): z.ZodType {
    return schema.#real();
  }

  /** Runs this with the schema once it is made. */
  static whenMade(schema: LazySchema, run: (made: z.ZodType) => void): void {
    const before = schema.#then;
    if (schema.#made !== undefined) run(schema.#made);
    else
      schema.#then = (made) => {
        before?.(made);
        run(made);
      };
  }

  static step(from: LazySchema, [method, given]: Step): LazySchema {
    const shape = from.#shape && shapeAfter(from.#shape, method, given);
    return new LazySchema(() => apply(from.#real(), method, given), metaAfter(from.#meta, method, given), shape);
  }

  /** A schema whose declaration is evaluated when first asked for anything but another schema of it. */
  static declared(declare: () => z.ZodType): LazySchema {
    let declared: z.ZodType | undefined;
    const get = () => {
      declared ??= declare();
      return declared;
    };
    return new LazySchema(
      () => realSchema(get()) as z.ZodType,
      () => get().meta() as Meta | undefined,
      () => (get() as z.ZodObject).shape as Shape,
    );
  }

  /** What is said of a schema, as its own `meta()` gives it. */
  static meta(schema: LazySchema): Meta | undefined {
    const meta = schema.#meta === undefined ? (schema.#real().meta() as Meta | undefined) : schema.#meta();
    if (meta === undefined) return undefined;
    return Object.keys(meta).length === 0 ? undefined : { ...meta };
  }

  get _zod() {
    return this.#real()._zod;
  }

  /** Known without the schema where it follows from the declaration. */
  get shape(): Shape {
    if (this.#shape === undefined) return (this.#real() as z.ZodObject).shape as Shape;
    const shape = this.#shape();
    this.#shape = () => shape;
    return shape;
  }

  #real(): z.ZodType {
    if (this.#made !== undefined) return this.#made;
    this.#made = (this.#make as () => z.ZodType)();
    this.#make = undefined;
    this.#then?.(this.#made);
    this.#then = undefined;
    return this.#made;
  }
}

/** The schema itself, of one that may be lazy; any other value as it is. */
export function realSchema(schema: unknown): unknown {
  return isLazy(schema) ? LazySchema.real(schema) : schema;
}

/** Something that is known of schemas beside what zod keeps, whether they are made or not. */
export class SchemaNotes<Note> {
  readonly #notes = new WeakMap<object, Note>();

  set(schema: object, note: Note): void {
    this.#notes.set(schema, note);
    if (isLazy(schema)) LazySchema.whenMade(schema, (made) => this.#notes.set(made, note));
  }

  get(schema: object): Note | undefined {
    return this.#notes.get(schema);
  }
}

const isLazy = LazySchema.is;

for (const method of STEPS) {
  Object.defineProperty(LazySchema.prototype, method, {
    value(this: LazySchema, ...given: unknown[]) {
      if (method === "meta" && given.length === 0) return LazySchema.meta(this);
      return LazySchema.step(this, [method, given]);
    },
  });
}

// All else is asked of the schema itself.
Object.setPrototypeOf(
  LazySchema.prototype,
  new Proxy(Object.prototype, {
    get: (target, name, asked) => Reflect.get(isLazy(asked) ? LazySchema.real(asked) : target, name),
  }),
);

/** The schemas themselves in what a method or a maker of zod is given. */
export function withReal(given: readonly unknown[]): unknown[] {
  return given.map((value) => {
    if (Array.isArray(value)) return value.some(isLazy) ? value.map(realSchema) : value;
    return realSchema(value);
  });
}

/** The properties of an object, made by themselves when the object is. A getter, as of what holds itself, stays one. */
export function withRealProperties(shape: unknown): unknown {
  if (typeof shape !== "object" || shape === null) return shape;
  const real: object = {};
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(shape))) {
    const { get, value } = property;
    const own = get ? { get: () => realSchema(get.call(shape)) } : { value: realSchema(value), writable: true };
    Object.defineProperty(real, name, { enumerable: true, configurable: true, ...own });
  }
  return real;
}

function apply(schema: z.ZodType, method: string, given: readonly unknown[]): z.ZodType {
  const known = method === "extend" || method === "safeExtend" ? [withRealProperties(given[0])] : withReal(given);
  return (schema as unknown as Record<string, (...given: unknown[]) => z.ZodType>)[method]?.(...known) as z.ZodType;
}

/** What is said of the schema after a step; `undefined` where only zod knows it. An id is of one schema alone. */
function metaAfter(before: (() => Meta | undefined) | undefined, method: string, [given]: readonly unknown[]) {
  if (before === undefined || (method !== "meta" && method !== "describe")) return undefined;
  return (): Meta => {
    const { id: _, ...kept } = before() ?? {};
    return { ...kept, ...(method === "meta" ? (given as Meta) : { description: given }) };
  };
}

/** The properties after a step; `undefined` where only zod knows them. */
function shapeAfter(before: () => Shape, method: string, [given]: readonly unknown[]): (() => Shape) | undefined {
  if (SAME_SHAPE.has(method)) return before;
  const named = (name: string) => Object.hasOwn(given as object, name);
  // In the order of the names, as zod has it.
  if (method === "pick")
    return () => Object.fromEntries(Object.keys(given as object).map((name) => [name, before()[name] as z.ZodType]));
  if (method === "omit") return () => filtered(before(), (name) => !named(name));
  if (method === "extend") return () => ({ ...before(), ...(given as Shape) });
  if (method !== "partial") return undefined;
  const isPart = (name: string) => given === undefined || named(name);
  const part = ([name, schema]: [string, z.ZodType]) => [name, isPart(name) ? schema.optional() : schema] as const;
  return () => Object.fromEntries(Object.entries(before()).map(part));
}

function filtered(shape: Shape, keeps: (name: string) => boolean): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => keeps(name)));
}
