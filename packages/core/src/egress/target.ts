import { isAddress } from "./address.js";
import { notAllowed } from "./failure.js";
import { isHostName } from "./host-name.js";

/** The target of a call, from its URL only. */
export interface Target {
  readonly secure: boolean;
  /** A DNS name in lower case without a trailing dot, or an address without brackets. */
  readonly host: string;
  /** `host` is an address. */
  readonly literal: boolean;
  readonly port: number;
  /** Path and query, as they are sent. */
  readonly path: string;
  /** The `Host` header: `host` with brackets, and with the port unless it is the scheme's default. */
  readonly authority: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly href: string;
}

const MAX_LENGTH = 8_192;
/** Whitespace, control characters and backslashes, which URL parsers treat differently. */
const AMBIGUOUS = /[^!-~\u{a0}-\u{10ffff}]|\\/u;

/** Parses a URL by the WHATWG rules, which normalise every spelling of an address. Throws `target_not_allowed`. */
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

/** The target of a connection that is not HTTP. Nothing but the deployment's own list permits it. */
export function plainTarget(host: string, port: number): Target {
  const literal = isAddress(host);
  if (!literal && !isHostName(host.toLowerCase())) throw notAllowed();
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw notAllowed();
  return parseTarget(`http://${host.includes(":") ? `[${host}]` : host}:${port}/`);
}
