import type { z } from "zod";
import type { operations } from "../families/index.js";
import type { OperationSpec } from "../kernel/operation.js";

type Operations = (typeof operations)[number];

/** The id of any operation, known to the compiler. */
export type OperationId = Operations["id"];

type ById<Id extends OperationId> = Extract<Operations, { readonly id: Id }>;

type Part<Name extends string, Schema extends z.ZodType> = Schema extends z.ZodUndefined
  ? { readonly [key in Name]?: undefined }
  : undefined extends z.input<Schema>
    ? { readonly [key in Name]?: z.input<Schema> }
    : { readonly [key in Name]: z.input<Schema> };

/** What `call` takes for an operation: its parameters, query and body as the schemas define them, and the version to match. */
export type CallInput<Id extends OperationId> =
  ById<Id> extends OperationSpec<string, infer P, infer Q, infer B, infer _S, infer _W>
    ? Part<"params", P> & Partial<Part<"query", Q>> & Part<"body", B> & { readonly ifMatch?: number }
    : never;

/** What `call` gives for an operation. */
export type CallOutput<Id extends OperationId> =
  ById<Id> extends OperationSpec<string, infer _P, infer _Q, infer _B, infer S, infer _W>
    ? S extends z.ZodUndefined
      ? undefined
      : z.output<S>
    : never;
