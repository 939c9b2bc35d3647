import type { Setting } from "./setting.js";

/** A header as written on the wire. A list may repeat a name. */
export type Header = readonly [name: string, value: string];

/** A request that is sent byte for byte. */
export interface RawRequest {
  readonly method: string;
  /** Relative to the mount point if it starts with a slash. One character is one byte. */
  readonly target: string;
  readonly headers?: readonly Header[];
  readonly body?: Uint8Array | string;
  /** Sends the body in chunks of this many bytes instead of with its length. */
  readonly chunked?: number;
}

/** Requests that are sent in order. Every answer is compared. */
export interface HttpCase {
  readonly name: string;
  /** The path has a broken percent-escape, which some frameworks refuse before any handler. */
  readonly brokenEscape?: boolean;
  requests(setting: Setting): readonly RawRequest[];
}

type Make = (setting: Setting) => RawRequest | readonly RawRequest[];

/** A case of one or several requests. */
export function httpCase(name: string, make: Make): HttpCase {
  const requests = (setting: Setting): readonly RawRequest[] => {
    const made = make(setting);
    return "method" in made ? [made] : made;
  };
  return { name, requests };
}

export const bearer = (token: string): Header => ["Authorization", `Bearer ${token}`];
export const JSON_TYPE: Header = ["Content-Type", "application/json"];

/** A request of the tenant's owner, with an optional JSON body. */
export function asOwner(
  { owner }: Setting,
  method: string,
  target: string,
  body?: unknown,
  headers: readonly Header[] = [],
): RawRequest {
  const sent = [bearer(owner), ...headers];
  return body === undefined
    ? { method, target, headers: sent }
    : { method, target, headers: [...sent, JSON_TYPE], body: JSON.stringify(body) };
}
