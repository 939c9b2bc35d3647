import * as zod from "zod";
import { LazySchema, realSchema, withReal, withRealProperties } from "./lazy-schema.js";

export * from "zod";

const nothingSaid = () => ({});

/** A maker of zod whose schemas are made when first used. */
function lazily<const Make>(make: Make): Make {
  const make_ = make as (...given: unknown[]) => zod.ZodType;
  return ((...given: unknown[]) => new LazySchema(() => make_(...withReal(given)), nothingSaid)) as Make;
}

/** A maker of objects. Their properties are known before. */
function lazilyShaped<const Make>(make: Make): Make {
  const make_ = make as (...given: unknown[]) => zod.ZodType;
  return ((shape: Record<string, zod.ZodType> = {}, ...more: unknown[]) =>
    new LazySchema(
      () => make_(withRealProperties(shape), ...more),
      nothingSaid,
      () => shape,
    )) as Make;
}

export const object = lazilyShaped(zod.object);
export const strictObject = lazilyShaped(zod.strictObject);
export const looseObject = lazilyShaped(zod.looseObject);
export const string = lazily(zod.string);
export const number = lazily(zod.number);
export const int = lazily(zod.int);
export const boolean = lazily(zod.boolean);
export const stringbool = lazily(zod.stringbool);
export const date = lazily(zod.date);
export const url = lazily(zod.url);
export const email = lazily(zod.email);
export const literal = lazily(zod.literal);
export const unknown = lazily(zod.unknown);
export const json = lazily(zod.json);
export const array = lazily(zod.array);
export const tuple = lazily(zod.tuple);
export const record = lazily(zod.record);
export const partialRecord = lazily(zod.partialRecord);
export const union = lazily(zod.union);
export const discriminatedUnion = lazily(zod.discriminatedUnion);
export const intersection = lazily(zod.intersection);
export const preprocess = lazily(zod.preprocess);

const makeEnum = lazily(zod.enum);
const makeNull = lazily(zod.null);

export { makeEnum as enum, makeNull as null };

export const iso = { ...zod.iso, datetime: lazily(zod.iso.datetime), date: lazily(zod.iso.date) };

/** A schema whose declaration is evaluated when first used. The build writes it around declarations of modules. */
export const declared = <Schema extends zod.ZodType>(declare: () => Schema): Schema =>
  LazySchema.declared(declare) as unknown as Schema;

/** The JSON Schema of a schema. */
export const toJSONSchema = ((schema: zod.ZodType, ...more: never[]) =>
  zod.toJSONSchema(realSchema(schema) as zod.ZodType, ...more)) as typeof zod.toJSONSchema;
