import type { paths } from "./openapi.generated.js";

type Method = "get" | "put" | "post" | "patch" | "delete";

/** Paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: M extends keyof paths[Path] ? Path : never;
}[keyof paths];

type OperationAt<Path extends keyof paths, M extends Method> = M extends keyof paths[Path] ? paths[Path][M] : never;

/** Paths of the lists that go on behind a cursor. */
export type ListPath = {
  [Path in PathOf<"get">]: ContentOf<OperationAt<Path, "get">> extends { nextCursor: unknown } ? Path : never;
}[PathOf<"get">];

/** A page of a list: its items, totals and `nextCursor`. */
export type PageOf<Path extends ListPath> = ContentOf<OperationAt<Path, "get">>;

/** What a list holds. */
export type ItemOf<Path extends ListPath> = PageOf<Path> extends { items: (infer Item)[] } ? Item : never;

/** How the body of an answer is read: JSON parsed and everything else as text, unless one of these is asked for. */
export type ParseAs = "text" | "stream";

export interface CommonInit<As extends ParseAs | "data" = ParseAs | "data"> {
  /** Ends the call, also while it waits to try again. */
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parseAs?: As & ParseAs;
}

export interface Answer<Data> {
  readonly data: Data;
  /** Status and headers, as `ETag`. Its body has been read, unless `parseAs` is `"stream"`. */
  readonly response: Response;
}

/** Calls operations of one method by their path; a refusal is thrown as a `ProblemError`. */
export type Call<M extends Method> = <Path extends PathOf<M>, As extends ParseAs | "data" = "data">(
  path: Path,
  ...init: Arguments<InitOf<OperationAt<Path, M>> & CommonInit<As>>
) => Promise<Answer<Read<ContentOf<OperationAt<Path, M>>, As>>>;

/** Walks the list at a path. */
export type Walk<Result extends "page" | "item"> = <Path extends ListPath>(
  path: Path,
  ...init: Arguments<InitOf<OperationAt<Path, "get">> & Omit<CommonInit, "parseAs">>
) => AsyncGenerator<Result extends "page" ? PageOf<Path> : ItemOf<Path>, void, undefined>;

type Arguments<Init> = Partial<Init> extends Init ? [init?: Init] : [init: Init];

type InitOf<Operation> = Member<"params", Parameters<Operation>> & BodyOf<Operation> & Conditions<Operation>;

type Parameters<Operation> = [ParametersIn<Operation, "path" | "query">] extends [never]
  ? never
  : Member<"path", ParametersIn<Operation, "path">> & Member<"query", ParametersIn<Operation, "query">>;

type ParametersIn<Operation, Place extends string> = Operation extends { parameters: infer All }
  ? Place extends keyof All
    ? Exclude<All[Place], undefined>
    : never
  : never;

/** A member of this type: forbidden where there is none, and optional where everything in it is. */
type Member<Name extends string, Type> = [Type] extends [never]
  ? { readonly [N in Name]?: never }
  : Partial<Type> extends Type
    ? { readonly [N in Name]?: Type }
    : { readonly [N in Name]: Type };

interface Json<Content> {
  content: { "application/json": Content };
}

type BodyOf<Operation> = Operation extends { requestBody: Json<infer Body> }
  ? { readonly body: Body }
  : Operation extends { requestBody?: Json<infer Body> }
    ? { readonly body?: Body }
    : { readonly body?: never };

type Takes<Operation, Header extends string> = Operation extends { parameters: { header?: infer Headers } }
  ? Header extends keyof Exclude<Headers, undefined>
    ? true
    : false
  : false;

type Conditions<Operation> = (Takes<Operation, "Idempotency-Key"> extends true
  ? {
      /** Makes a repeat give the first answer again; a random one for each call unless it is given. */
      readonly idempotencyKey?: string;
    }
  : { readonly idempotencyKey?: never }) &
  (Takes<Operation, "If-Match"> extends true
    ? {
        /** The record as it was read, or an ETag: 412 `precondition_failed` when it has changed since. */
        readonly ifMatch?: string | { readonly version: number };
      }
    : { readonly ifMatch?: never });

/** What an operation answers; JSON where it can answer in several types. */
type ContentOf<Operation> = Operation extends { responses: infer Answers } ? Content<Answers[keyof Answers]> : never;

type Content<Answered> = Answered extends { content: infer Types }
  ? "application/json" extends keyof Types
    ? Types["application/json"]
    : Types[keyof Types]
  : undefined;

type Read<Data, As> = As extends "text" ? string : As extends "stream" ? ReadableStream<Uint8Array> : Data;
