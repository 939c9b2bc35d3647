import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { ReeveError } from "../kernel/http/errors.js";
import type { ConnectingEgress, EgressStream, EgressStreamRequest } from "../ports/egress.js";
import { createAllowList } from "./allow-list.js";
import { bodyStream, collect } from "./body-stream.js";
import { startCall } from "./call.js";
import { openConnection } from "./connect.js";
import { type Answer, exchange, type Hop } from "./exchange.js";
import { failed } from "./failure.js";
import { guardOf } from "./guard.js";
import { requestHeaders } from "./headers.js";
import { followed } from "./redirects.js";
import { addressesOf, type Lookup, systemLookup } from "./resolve.js";
import { parseTarget, plainTarget } from "./target.js";

/** The settings of a deployment for outgoing calls. */
export interface EgressSettings {
  /** Hosts, addresses and networks that may be called although they are not public or not https. None when absent. */
  readonly allow?: readonly string[];
  /** Ports of public targets; 443 when absent. */
  readonly ports?: readonly number[];
  /** Certificates in PEM that are trusted in addition to those of Node. */
  readonly ca?: readonly string[];
  /** Resolves names; the system's resolver when absent. */
  readonly lookup?: Lookup;
}

const MAX_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;

/**
 * The egress of a control plane. Every hop is checked, resolved and connected anew: connections are not shared, and
 * neither proxies of the environment nor Unix sockets are used. Throws `RangeError` for a malformed `allow`.
 */
export function guardedEgress(settings: EgressSettings = {}): ConnectingEgress {
  const { ports = [443], lookup = systemLookup } = settings;
  const allow = createAllowList(settings.allow ?? []);
  // Faulty certificates stop a start. Those of Node are known to be sound, and take 50 ms to read.
  let secureContext = settings.ca && trust(settings.ca);

  async function send(hop: Hop, signal: AbortSignal): Promise<Sent> {
    const guard = guardOf(hop.target, allow, ports);
    const addresses = await addressesOf(hop.target, guard, lookup, signal);
    secureContext ??= trust();
    const socket = await openConnection(hop.target, addresses, guard, secureContext, signal);
    const close = () => socket.destroy();
    signal.addEventListener("abort", close, { once: true });
    return { hop, answer: await exchange(hop, socket), close };
  }

  async function follow(first: Hop, redirects: number, signal: AbortSignal): Promise<Sent> {
    let sent = await send(first, signal);
    try {
      for (let left = redirects; redirects > 0; left--) {
        const next = followed(sent.hop, sent.answer);
        if (!next) break;
        if (left === 0) throw failed("redirect");
        sent.close();
        sent = await send(next, signal);
      }
    } catch (error) {
      throw isRead(first) ? error : behindWrite(error);
    }
    return sent;
  }

  async function stream(request: EgressStreamRequest): Promise<EgressStream> {
    const first = firstHop(request);
    const call = startCall(request);
    try {
      call.signal.throwIfAborted();
      const { hop, answer } = await follow(first, Math.min(request.redirects ?? 0, MAX_REDIRECTS), call.signal);
      call.answered();
      const body = bodyStream(answer, request.maxBytes ?? MAX_BYTES, call);
      return { status: answer.status, headers: answer.headers, url: hop.target.href, redirected: hop !== first, body };
    } catch (error) {
      throw call.ended(error);
    }
  }

  return {
    stream,
    async address(host, port, signal) {
      const target = plainTarget(host, port);
      const [address] = await addressesOf(target, guardOf(target, allow, []), lookup, signal);
      return { address: address as string, port, serverName: target.host };
    },
    async request(request) {
      const { status, headers, body } = await stream(request);
      return { status, headers, body: await collect(body) };
    },
  };
}

const isRead = ({ method }: Hop) => method === "GET" || method === "HEAD";

/** The failure of a later hop. The first one was answered, so that nobody may take it for a write that was not sent. */
function behindWrite(error: unknown): unknown {
  const isAboutHop = ReeveError.is(error) && (error.code === "connector_error" || error.code === "target_not_allowed");
  return isAboutHop ? failed("redirect") : error;
}

interface Sent {
  readonly hop: Hop;
  readonly answer: Answer;
  close(): void;
}

function firstHop({ url, method = "GET", headers = {}, body }: EgressStreamRequest): Hop {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { target: parseTarget(url), method, headers: requestHeaders(headers), body: bytes };
}

function trust(ca?: readonly string[]): SecureContext {
  return createSecureContext({ minVersion: "TLSv1.2", ...(ca ? { ca: [...rootCertificates, ...ca] } : {}) });
}
