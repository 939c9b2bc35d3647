import type { Answer, Client } from "@reeve/client";
import { nearNames } from "@reeve/core/names";
import { Failure } from "../../failure.js";
import { OPERATIONS } from "../operations.generated.js";

/** What a call takes, whatever its operation. */
export interface AnyInput {
  readonly params?: { readonly path?: object; readonly query?: object };
  readonly body?: unknown;
  readonly ifMatch?: string;
  readonly parseAs?: "text";
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type AnyCall = (path: string, init: AnyInput) => Promise<Answer<unknown>>;

/** The method and path of an operation. Throws a `Failure` with the names that may have been meant. */
export function operationOf(id: string): { readonly method: Method; readonly path: string } {
  const found = Object.hasOwn(OPERATIONS, id) ? OPERATIONS[id] : undefined;
  if (found === undefined) throw new Failure(`there is no operation "${id}"; ${meantBy(id)}`);
  const [method, path] = found.split(" ") as [Method, string];
  return { method, path };
}

/** Calls any operation by the client, whose types know only those that are written out. */
export function callAny(client: Client, id: string, input: AnyInput): Promise<Answer<unknown>> {
  const { method, path } = operationOf(id);
  return (client[method] as unknown as AnyCall)(path, input);
}

/** Reads a path that is known at run time only. */
export function getPath(client: Client, path: string, params: { path: object }): Promise<Answer<unknown>> {
  return (client.GET as unknown as AnyCall)(path, { params });
}

const MOST_MEANT = 5;

/** Names that differ by a slip, or else those of what the name begins with. */
function meantBy(id: string): string {
  const names = Object.keys(OPERATIONS);
  const near = nearNames(id, names, MOST_MEANT);
  const meant = near.length > 0 ? near : nearNames(id.split(".")[0] as string, names, MOST_MEANT);
  return meant.length === 0 ? "the reference of operations lists them" : `did you mean ${meant.join(" or ")}?`;
}
