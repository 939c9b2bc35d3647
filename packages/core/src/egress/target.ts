import { isAddress } from "./address.js";
import { notAllowed } from "./failure.js";
import { isHostName } from "./host-name.js";

/** Where a call goes, taken from its URL and nothing else. */
export interface Target {
  readonly secure: boolean;
  /** A DNS name in lower case without a trailing dot, or an address without brackets. */
  readonly host: string;
  /** `host` is an address. */
  readonly literal: boolean;
  readonly port: number;
  /** Path and query, as they are sent. */
  readonly path: string;
  /** `host`, with brackets and with a port that is not the scheme's own: the `Host` header. */
  readonly authority: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly href: string;
}

const MAX_LENGTH = 8_192;
/** Blanks, control characters and backslashes: parsers disagree about all of them. */
const AMBIGUOUS = /[^!-~\u{a0}-\u{10ffff}]|\\/u;

/** Takes a URL apart by the WHATWG rules, which make one form of every way to write an address. Throws `target_not_allowed`. */
export function parseTarget(text: string): Target {
  if (text.length > MAX_LENGTH || AMBIGUOUS.test(text) || text.includes("#") || !URL.canParse(text)) throw notAllowed();
  const url = new URL(text);
  const secure = url.protocol === "https:";
  if ((!secure && url.protocol !== "http:") || url.username !== "" || url.password !== "") throw notAllowed();
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const literal = isAddress(host);
  if (!literal && !isHostName(host)) throw notAllowed();
  const authority = `${host.includes(":") ? `[${host}]` : host}${url.port === "" ? "" : `:${url.port}`}`;
  const origin = `${url.protocol}//${authority}`;
  const path = `${url.pathname}${url.search}`;
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  return { secure, host, literal, port, path, authority, origin, href: `${origin}${path}` };
}
