import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { OperationTypes } from "../../src/control-plane/operations.generated.js";
import type { operations } from "../../src/families/index.js";
import type { OperationSpec } from "../../src/kernel/operation.js";

type Operations = (typeof operations)[number];
type ById<Id> = Extract<Operations, { readonly id: Id }>;

type Part<Name extends string, Schema extends z.ZodType> = Schema extends z.ZodUndefined
  ? { readonly [key in Name]?: undefined }
  : undefined extends z.input<Schema>
    ? { readonly [key in Name]?: z.input<Schema> }
    : { readonly [key in Name]: z.input<Schema> };

/** What the schemas of an operation say, by inference. */
type Inferred<Id> =
  ById<Id> extends OperationSpec<string, infer P, infer Q, infer B, infer S, infer _W>
    ? {
        input: Part<"params", P> & Partial<Part<"query", Q>> & Part<"body", B>;
        output: S extends z.ZodUndefined ? undefined : z.output<S>;
      }
    : never;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The operations whose generated types are not what their schemas say; `npm run docs:generate` brings them up to date. */
type Differing = {
  [Id in keyof OperationTypes]: Same<OperationTypes[Id], Inferred<Id>> extends true ? never : Id;
}[keyof OperationTypes];

describe("the generated types of operations", () => {
  it("are there for every operation, and say what the schemas say", () => {
    const ids: Same<keyof OperationTypes, Operations["id"]> = true;
    const differing: Differing[] = [];
    expect([ids, differing]).toEqual([true, []]);
    // Fails to compile, with the ids in the message, when there are any.
    const none: [Differing] extends [never] ? true : Differing = true;
    expect(none).toBe(true);
  });
});
