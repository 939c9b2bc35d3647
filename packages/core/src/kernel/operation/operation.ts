import type { z } from "zod";
import type { StoredRecord } from "#store/collection.js";
import type { Row } from "#store/row.js";
import type { MaybePromise } from "../async/maybe-promise.js";
import type { Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import type { BodyForm } from "../http/body-form.js";
import type { Dialect } from "../http/dialect.js";
import type { ErrorCode } from "../http/errors.js";
import type { NeutralRequest } from "../http/http.js";
import type { Problems } from "../http/problems.js";
import type { Page, Raw } from "../records/outcome.js";
import type { Context } from "./context.js";
import type { OutsideContext } from "./outside-context.js";
import { isPageSchema } from "./page.js";
import type { ReadContext } from "./read-context.js";

/**
 * Who may call: anyone, anyone signed in, or holders of a permission in tenants that license the capability.
 * `provider`: only in the provider's own tenant.
 */
export type Access<Capability extends string = string> =
  | "public"
  | "signed-in"
  | { readonly permission: string; readonly capability?: Capability; readonly provider?: true };

/** Tag and capability of an operation, as literal types of its area. */
export interface Worded<Tag extends string, Capability extends string> {
  /** One of the published tags. */
  readonly tag: Tag;
  readonly access: Access<Capability>;
}

/** What a host asks for beside /api/v1. */
export type Mount = "root" | "reference" | "console" | "doors";

/**
 * What an agent uses an operation for. `explain`: it reads or computes, and keeps nothing. `propose`: it adds a draft, an entry or a
 * remark, which puts nothing in force. `request`: it asks for a decision of others.
 */
export type AgentUse = "explain" | "propose" | "request";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler may answer with: a value, a stored row or page served as text, other media, or nothing. */
export type Result<T> = T | Row<T & StoredRecord> | Page | Raw;

/** `read`: no transaction. `write`: one transaction around the handler. `own`: the handler opens its own. */
export type Effect = "read" | "write" | "own";

/** The context of a handler, by the effect of its operation. A reading one cannot write. */
export type ContextOf<E extends Effect> = E extends "write" ? Context : E extends "own" ? OutsideContext : ReadContext;

/** Like `ContextOf`. Any context where the effect is unknown, so that the table can hold every operation. */
// biome-ignore lint/suspicious/noExplicitAny: the types of handlers are checked where they are declared
type HandlerContext<E extends Effect> = 0 extends 1 & E ? any : ContextOf<E>;

type DefaultEffect<M extends Method> = M extends "GET" ? "read" : "write";

/** Finds the sender of a request by something other than a bearer, such as a cookie. */
export type Identify = (
  env: Environment,
  request: NeutralRequest,
  params: Readonly<Record<string, string>>,
) => MaybePromise<Principal | undefined>;

/** The description of an operation, without its handler. */
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
  /** Wrap it in `.optional()` where an absent body is legal. */
  readonly body?: B;
  /** The form of a body that another protocol defines. It is read once its sender may send it, and takes no `Idempotency-Key`. */
  readonly takes?: BodyForm;
  readonly success: {
    /** 303 for pages that send the browser on. */
    readonly status: 200 | 201 | 204 | 303;
    readonly schema?: S;
    readonly media?: string;
    /** Media type of a text form of the same answer, which the caller selects by the query. */
    readonly also?: string;
  };
  /** Codes beyond those that follow from access, parameters and body. */
  readonly errors?: readonly ErrorCode[];
  /** By default `read` for GET, `write` for all else. */
  readonly effect?: E;
  /** Kill switches that stop this operation when engaged. */
  readonly killSwitches?: readonly string[];
  /**
   * Of a GET that does more than read: what shows that its sender means it, since any page can hold a link to it.
   * `authorization`: it acts only with a token in `Authorization`, which no link sends. `message`, `nonce`: what it acts on was
   * signed or given out for this. `record`: all that it does is to record what was read.
   */
  readonly proof?: "authorization" | "message" | "nonce" | "record";
  /** Headers that it reads by itself, in lower case: what other protocols say outside body and query. */
  readonly headers?: readonly string[];
  /** Parameters of the query that it does not know are ignored: others put theirs into addresses that browsers open. */
  readonly openQuery?: boolean;
  /** Members of the body that it does not know are ignored: a program of others sends it, whose next release adds some. */
  readonly openBody?: boolean;
  /** Counts against a small quota of the principal as well as the usual ones. */
  readonly expensive?: boolean;
  /** Tells only whether the service works, so no rate limit counts it. Its checks must cost the same for any number at once. */
  readonly probe?: boolean;
  /** Whether the answer may come from a replica, which may be behind. By default that of a list may, and no other. */
  readonly replica?: boolean;
  /** The answer holds a secret, so it is never kept for replay. */
  readonly secret?: boolean;
  /** May take something out of use, which no fault of its `reason` holds back. */
  readonly stops?: boolean;
  /**
   * Properties of the body that are not kept as they were sent: sealed, passed on or only judged. All else is kept and shown, so
   * that a secret in it is refused.
   */
  readonly unkept?: readonly string[];
  /** Reports that nothing changed, so it writes no event. */
  readonly quiet?: boolean;
  /**
   * What agents use it for, which makes it a tool of Reeve's own MCP server. Reads are tools without it. `toolMistakes` refuses it on
   * what decides, puts in force, takes away or gives out.
   */
  readonly agents?: AgentUse;
  /** Also takes tokens that are for its own address alone, and tells who has none where to get one (RFC 9728). */
  readonly ownAudience?: true;
  /** Runs other operations for its caller, each through all of its own steps. */
  readonly runsOthers?: true;
  /** Is for pages of Reeve only: over HTTP it needs their header, and no page of another origin may send it. */
  readonly ofPage?: boolean;
  /** Ends the token it is sent with. A repeat is refused, so it takes no `Idempotency-Key`. */
  readonly endsToken?: boolean;
  /**
   * An endpoint of another protocol, such as OAuth 2.0. It also takes forms, and client credentials in `Authorization`.
   */
  readonly dialect?: Dialect;
  /** How another protocol names refusals, by the codes here: a problem type of its own, and a code with its status. */
  readonly problems?: Problems;
  /**
   * Who sent a request without a bearer, for pages that browsers open. With access `public` it may be nobody.
   */
  readonly identify?: Identify;
  /** Outside /api/v1, and mounted only when the host asks for it; for the first of several that it asks for. */
  readonly mount?: Mount | readonly Mount[];
  /** Also answers every path below its own that no other operation has, with the rest as the parameter `below`. */
  readonly below?: boolean;
  /** Its path parameters may hold encoded slashes, as names in other protocols do. Elsewhere such a path is ambiguous. */
  readonly slashes?: boolean;
  /** Not one of the 199 published operations. */
  readonly extension?: boolean;
  /** Still works. Every answer names the successor and the sunset date. */
  readonly deprecated?: Deprecation;
  /** Left out of the API description. */
  readonly hidden?: boolean;
  /** Narrows the path pattern. Other requests do not match the operation. */
  readonly matches?: (params: Readonly<Record<string, string>>) => boolean;
}

/** An operation: its description and its handler. */
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
   * Finds records that the caller may have meant, for the header `Link`. Runs after the commit of a write, over HTTP
   * only. A failure only drops the header.
   */
  readonly hints?: (ctx: ReadContext, input: Input<P, Q, B>) => Promise<readonly Hint[]>;
  /** Slow work before the transaction, such as hashing. Its result is the handler's third argument. */
  readonly prepare?: (ctx: ReadContext, input: Input<P, Q, B>) => Promise<W>;
  /** A property and not a method, so that a handler that writes does not compile where the effect is `read`. */
  readonly handler: (ctx: HandlerContext<E>, input: Input<P, Q, B>, prepared: W) => Promise<Result<z.output<S>>>;
}

/** When an operation became deprecated, when it may be removed, and what replaces it. */
export interface Deprecation {
  /** RFC 3339 date. */
  readonly since: string;
  readonly sunset: string;
  /** Path, with query if any, of the replacement. `{name}` stands for the parameter of that name. */
  readonly successor: string;
}

/** Another record, by its path, and what it has in common with the request's. */
export interface Hint {
  readonly path: string;
  readonly by: string;
}

/** The validated input of a handler. */
export interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}

/** Any operation, as the kernel sees it. */
// biome-ignore lint/suspicious/noExplicitAny: each operation knows its own types; the table holds them all
export type Operation = OperationSpec<string, any, any, any, any, any, any, any>;

/** Any operation, as hosts and tools see it. */
// biome-ignore lint/suspicious/noExplicitAny: each operation knows its own types; the table holds them all
export type DescribedOperation = OperationFacts<string, any, any, any, any>;

/** The type of a part that an operation leaves out. */
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

/** Whether the answer may come from a replica. What is prepared may go on to decide something, so it may not. */
export function mayReadReplica(operation: Operation): boolean {
  const { replica = isPageSchema(operation.success.schema), prepare } = operation;
  return replica && prepare === undefined && effectOf(operation) === "read";
}
