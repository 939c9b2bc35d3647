import type { Setting } from "./setting.js";

/** One header as it is written on the wire; a list of them may repeat a name. */
export type Header = readonly [name: string, value: string];

/** One request, byte for byte: nothing between here and the socket changes it. */
export interface RawRequest {
  readonly method: string;
  /** Relative to the mount point, when it starts with a slash; one character a byte. */
  readonly target: string;
  readonly headers?: readonly Header[];
  readonly body?: Uint8Array | string;
  /** Sends the body in chunks of this many bytes instead of with its length. */
  readonly chunked?: number;
}

/** What is sent, one request after the other; every answer is compared. */
export interface HttpCase {
  readonly name: string;
  /** The path holds a broken percent-escape, which some frameworks refuse before any of their handlers runs. */
  readonly brokenEscape?: boolean;
  requests(setting: Setting): readonly RawRequest[];
}

type Make = (setting: Setting) => RawRequest | readonly RawRequest[];

/** A case of one request or several. */
export function httpCase(name: string, make: Make): HttpCase {
  const requests = (setting: Setting): readonly RawRequest[] => {
    const made = make(setting);
    return "method" in made ? [made] : made;
  };
  return { name, requests };
}

export const bearer = (token: string): Header => ["Authorization", `Bearer ${token}`];
export const JSON_TYPE: Header = ["Content-Type", "application/json"];

/** A request of the tenant's owner, with a JSON body when there is one. */
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
