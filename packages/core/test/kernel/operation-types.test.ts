import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { OperationTypes } from "#control-plane/operations.generated.js";
import type { operations } from "#families/index.js";
import type { OperationSpec } from "#kernel/operation/operation.js";

type Operations = (typeof operations)[number];
type ById<Id> = Extract<Operations, { readonly id: Id }>;

type Part<Name extends string, Schema extends z.ZodType> = Schema extends z.ZodUndefined
  ? { readonly [key in Name]?: undefined }
  : undefined extends z.input<Schema>
    ? { readonly [key in Name]?: z.input<Schema> }
    : { readonly [key in Name]: z.input<Schema> };

/** The query of an operation. That of a list is derived from its collection, so type inference does not know it. */
type Query<Id extends keyof OperationTypes, Schema extends z.ZodType> =
  unknown extends z.input<Schema>
    ? Pick<OperationTypes[Id]["input"] & { readonly query?: unknown }, "query">
    : Partial<Part<"query", Schema>>;

type Named<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] };

/**
 * The body of an operation, without names that only HTTP accepts. Type inference does not know the fields of a kind of
 * record, which are derived from the kind.
 */
type Body<Id extends keyof OperationTypes, Schema extends z.ZodType> = string extends keyof Exclude<
  z.input<Schema>,
  undefined
>
  ? Generated<Id> extends { readonly body?: Named<Exclude<z.input<Schema>, undefined>> | undefined }
    ? Generated<Id>
    : never
  : Part<"body", Schema>;
type Generated<Id extends keyof OperationTypes> = Pick<
  OperationTypes[Id]["input"] & { readonly body?: unknown },
  "body"
>;

/** The types of an operation by inference from its schemas. */
type Inferred<Id extends keyof OperationTypes> =
  ById<Id> extends OperationSpec<string, infer P, infer Q, infer B, infer S, infer _W>
    ? {
        input: Part<"params", P> & Query<Id, Q> & Body<Id, B>;
        output: S extends z.ZodUndefined ? undefined : z.output<S>;
      }
    : never;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The operations whose generated types differ from their schemas. `npm run docs:generate` updates them. */
type Differing = {
  [Id in keyof OperationTypes]: Same<OperationTypes[Id], Inferred<Id>> extends true ? never : Id;
}[keyof OperationTypes];

describe("the generated types of operations", () => {
  it("are there for every operation, and say what the schemas say", () => {
    const ids: Same<keyof OperationTypes, Operations["id"]> = true;
    const differing: Differing[] = [];
    expect([ids, differing]).toEqual([true, []]);
    // If there are any, this fails to compile with their ids in the message.
    const none: [Differing] extends [never] ? true : Differing = true;
    expect(none).toBe(true);
  });
});
