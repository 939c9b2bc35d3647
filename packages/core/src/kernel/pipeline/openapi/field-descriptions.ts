import type { z } from "#schema/z.js";
import type { Operation } from "../../operation/operation.js";

/** What is read here of any schema, whatever its kind. */
interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

const defOf = (schema: z.ZodType) => schema._zod.def as unknown as Def;

/** The description of a field: its own, or that of the schema that it wraps. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  const { description } = schema.meta() ?? {};
  if (description !== undefined) return description;
  const { innerType, in: before, out } = defOf(schema);
  const inner = innerType ?? (before && defOf(before).type === "transform" ? out : before);
  return inner && descriptionOf(inner);
}

/** What a filter is of, where it does not say so itself: the field of the listed records that has its name. */
export function filterDescription({ success }: Pick<Operation, "success">, name: string): string | undefined {
  const items = success.schema && memberOf(success.schema, "items");
  const item = items && defOf(items).element;
  const field = item && memberOf(item, name);
  return field && descriptionOf(field);
}

/** The member of an object, or of what wraps one or is made of several. */
function memberOf(schema: z.ZodType, name: string): z.ZodType | undefined {
  const { shape, innerType, left, right, in: before, out, options = [] } = defOf(schema);
  if (shape) return Object.hasOwn(shape, name) ? shape[name] : undefined;
  for (const part of [innerType, left, right, before, out, ...options]) {
    const member = part && memberOf(part, name);
    if (member) return member;
  }
  return undefined;
}
