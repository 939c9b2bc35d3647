import type { z } from "zod";
import type { StoredRecord } from "../../store/collection.js";
import type { Row } from "../../store/row.js";
import type { Dialect } from "../http/dialect.js";
import type { ErrorCode } from "../http/errors.js";
import type { Page, Raw } from "../records/outcome.js";
import type { Context } from "./context.js";
import type { OutsideContext } from "./outside-context.js";
import type { ReadContext } from "./read-context.js";

/**
 * Who may call: anyone, anyone signed in, or holders of a permission, in tenants that license the capability. `provider`:
 * only in the tenant of the people who run the service.
 */
export type Access<Capability extends string = string> =
  | "public"
  | "signed-in"
  | { readonly permission: string; readonly capability?: Capability; readonly provider?: true };

/** The area's names in an operation: its group and its capability, as literal types. */
export interface Worded<Tag extends string, Capability extends string> {
  /** One of the published groups. */
  readonly tag: Tag;
  readonly access: Access<Capability>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler may answer with: a value, a stored row or page served as stored, other media, or nothing. */
export type Result<T> = T | Row<T & StoredRecord> | Page | Raw;

/** `read`: no transaction. `write`: one transaction around the handler. `own`: the handler opens its own. */
export type Effect = "read" | "write" | "own";

/** What a handler is given, by the effect of its operation: one that only reads has nothing to write with. */
export type ContextOf<E extends Effect> = E extends "write" ? Context : E extends "own" ? OutsideContext : ReadContext;

/** As `ContextOf`, and anything where the effect is not known, so that the table can hold every operation. */
// biome-ignore lint/suspicious/noExplicitAny: the types of handlers are checked where they are declared
type HandlerContext<E extends Effect> = 0 extends 1 & E ? any : ContextOf<E>;

type DefaultEffect<M extends Method> = M extends "GET" ? "read" : "write";

/** What is known about an operation beside what it does. */
export interface OperationFacts<
  Id extends string,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  S extends z.ZodType,
  M extends Method = Method,
  E extends Effect = Effect,
> {
  /** `<resource>.<verb>`, unique. */
  readonly id: Id;
  readonly method: M;
  /** As published, with `{name}` parameters. */
  readonly path: string;
  readonly tag: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly params?: P;
  readonly query?: Q;
  /** Wrap in `.optional()` where an absent body is legal. */
  readonly body?: B;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly schema?: S;
    readonly media?: string;
    /** The same in another form, which the caller asks for by the query: text of this media type. */
    readonly also?: string;
  };
  /** Codes beyond those that follow from access, parameters and body. */
  readonly errors?: readonly ErrorCode[];
  /** By default GET reads and all else writes. */
  readonly effect?: E;
  /** Kill switches that stop this operation when engaged. */
  readonly killSwitches?: readonly string[];
  /** Costs much: counted against a small quota of the principal beside the usual ones. */
  readonly expensive?: boolean;
  /** The answer holds a secret: it is never kept for replay. */
  readonly secret?: boolean;
  /** It reports that nothing changed, so it writes no event. */
  readonly quiet?: boolean;
  /** Ends the token it is sent with. A repeat can only be refused, so it takes no `Idempotency-Key`. */
  readonly endsToken?: boolean;
  /** An endpoint of another protocol, as OAuth 2.0: takes forms too, and client credentials from `Authorization`. */
  readonly dialect?: Dialect;
  /** Lives outside /api/v1 and is mounted only when the host asks for it. */
  readonly mount?: "root" | "reference";
  /** Beyond the published 199. */
  readonly extension?: boolean;
  /** It still works; every answer names the successor and the sunset. */
  readonly deprecated?: Deprecation;
  /** Left out of the interface description (the description itself and its viewer). */
  readonly hidden?: boolean;
  /** Narrows the path pattern; a request that does not match is not ours. */
  readonly matches?: (params: Readonly<Record<string, string>>) => boolean;
}

/** One operation: everything that is known about it, in one value. */
export interface OperationSpec<
  Id extends string,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  S extends z.ZodType,
  W = unknown,
  M extends Method = Method,
  E extends Effect = Effect,
> extends OperationFacts<Id, P, Q, B, S, M, E> {
  /**
   * Records that may be what the caller is about to make, for the header `Link`. Asked for behind the commit of a write, over HTTP
   * only, through the context it is given; what goes wrong with it leaves the header out.
   */
  readonly hints?: (ctx: ReadContext, input: Input<P, Q, B>) => Promise<readonly Hint[]>;
  /** Slow work before the transaction opens (hashing, say); what it gives is the handler's third argument. */
  readonly prepare?: (ctx: ReadContext, input: Input<P, Q, B>) => Promise<W>;
  /** A property and not a method, so that a function which wants to write is refused where the operation only reads. */
  readonly handler: (ctx: HandlerContext<E>, input: Input<P, Q, B>, prepared: W) => Promise<Result<z.output<S>>>;
}

/** Since when an operation should not be used any more, when it may be gone, and what takes its place. */
export interface Deprecation {
  /** RFC 3339 date. */
  readonly since: string;
  readonly sunset: string;
  /** Path, and query if any, of the operation that takes its place; `{name}` stands for the parameter of that name. */
  readonly successor: string;
}

/** Another record, by its path, and what it has in common with the one of the request. */
export interface Hint {
  readonly path: string;
  readonly by: string;
}

/** What a handler is given: checked, and nothing else. */
export interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}

/** Any operation, as the table, the router and the pipeline see it. */
// biome-ignore lint/suspicious/noExplicitAny: each operation knows its own types; the table holds them all
export type Operation = OperationSpec<string, any, any, any, any, any, any, any>;

/** Any operation, as hosts and tools see it. */
// biome-ignore lint/suspicious/noExplicitAny: each operation knows its own types; the table holds them all
export type DescribedOperation = OperationFacts<string, any, any, any, any>;

/** The parts an operation may leave out become types that hold nothing. */
type Nothing = z.ZodUndefined;

export function defineOperation<
  const Id extends string,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  S extends z.ZodType = Nothing,
  W = undefined,
  const Tag extends string = string,
  const Capability extends string = never,
  const M extends Method = Method,
  const E extends Effect = DefaultEffect<M>,
>(
  spec: OperationSpec<Id, P, Q, B, S, W, M, E> & Worded<Tag, Capability>,
): OperationSpec<Id, P, Q, B, S, W, M, E> & Worded<Tag, Capability> {
  return Object.freeze(spec);
}

/** Whether the operation changes anything. */
export function effectOf(operation: Pick<DescribedOperation, "effect" | "method">): Effect {
  return operation.effect ?? (operation.method === "GET" ? "read" : "write");
}
