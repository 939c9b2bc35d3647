import { realSchema } from "#schema/lazy-schema.js";
import { z } from "#schema/z.js";

/** Who says what a field holds: who calls, a connected system through its connector, or an import of records. */
export const SAYERS = ["caller", "connector", "import"] as const;
export type Sayer = (typeof SAYERS)[number];

/**
 * What an id must be. `caller`: the caller's own, where a machine calls. `record`: a part of the record that the
 * operation is about. `tenant`: any record of the tenant; `because` says why whoever holds the permission may name it.
 */
export type Authority =
  | { readonly kind: "reference"; readonly to: string; readonly relation: "caller" | "record" }
  | { readonly kind: "reference"; readonly to: string; readonly relation: "tenant"; readonly because: string }
  /** People put in a position that decides or answers for something. Nobody appoints themself. */
  | { readonly kind: "office" }
  /** A fact. Only these may state it. */
  | { readonly kind: "claim"; readonly by: readonly Sayer[] }
  /** An id or a name in another system. It opens nothing here. */
  | { readonly kind: "foreign" };

const authorities = z.registry<Authority>();

/** A schema of a field with the declaration of who may say it. It holds for all that is inside, until that declares its own. */
export function declared<S extends z.ZodType>(schema: S, authority: Authority): S {
  const own: z.ZodType = schema.clone();
  return own.register(authorities, authority) as S;
}

/** An id of one's own, or of a part of the record that the operation is about. */
export const related = <S extends z.ZodType>(schema: S, to: string, relation: "caller" | "record"): S =>
  declared(schema, { kind: "reference", to, relation });

/** An id of any record of the tenant. `because` says why that is enough. */
export const anyOf = <S extends z.ZodType>(schema: S, to: string, because: string): S =>
  declared(schema, { kind: "reference", to, relation: "tenant", because });

/** People in a position that decides. */
export const office = <S extends z.ZodType>(schema: S): S => declared(schema, { kind: "office" });

/** A fact that only these state. */
export const claim = <S extends z.ZodType>(schema: S, ...by: Sayer[]): S => declared(schema, { kind: "claim", by });

/** An id or name of another system. */
export const foreign = <S extends z.ZodType>(schema: S): S => declared(schema, { kind: "foreign" });

/** The declarations of fields that were asked for. Each body asks for all of its own, and zod makes a copy for each answer. */
const found = new WeakMap<object, { readonly authority: Authority | undefined }>();

/** The declaration of a field, whether it is optional, nullable or has a default. */
export function authorityOf(schema: unknown): Authority | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const known = found.get(schema) ?? { authority: declarationOf(schema) };
  found.set(schema, known);
  return known.authority;
}

function declarationOf(schema: object): Authority | undefined {
  let at = realSchema(schema) as z.ZodType | undefined;
  while (at) {
    const authority = authorities.get(at) as Authority | undefined;
    if (authority) return authority;
    at = (at.def as { readonly innerType?: z.ZodType }).innerType;
  }
  return undefined;
}

/** Whether somebody may say a field. What is no claim anybody may say; it is judged where it is used. */
export function maySay(schema: unknown, sayer: Sayer): boolean {
  const authority = authorityOf(schema);
  return authority?.kind !== "claim" || authority.by.includes(sayer);
}

/** Whether a connected system may say a field of what it lists. Without a declaration it may not. */
export function isListed(schema: unknown): boolean {
  const authority = authorityOf(schema);
  return authority?.kind === "claim" && authority.by.includes("connector");
}

/** What a connected system may say of what it lists, as well as who calls and who imports. */
export const listed = <S extends z.ZodType>(schema: S): S => claim(schema, ...SAYERS);
