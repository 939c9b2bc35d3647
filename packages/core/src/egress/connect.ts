import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { ReeveError } from "../kernel/http/errors.js";
import { isAddress } from "./address.js";
import { failed, notAllowed } from "./failure.js";
import type { Guard } from "./guard.js";
import type { Target } from "./target.js";

/** How long one address may take to connect while others remain, in ms. */
const PATIENCE = 2_000;

/** Connects to the first address that answers, with TLS if the target uses it. The caller destroys the socket. */
export async function openConnection(
  target: Target,
  addresses: readonly string[],
  guard: Guard,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await openFirst(target.port, addresses, guard, signal);
  if (!target.secure) return socket;
  const secured = connectTls({
    socket,
    host: target.host,
    servername: target.literal ? "" : target.host,
    secureContext,
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true, // overrides NODE_TLS_REJECT_UNAUTHORIZED
  });
  return established(secured, "secureConnect", "tls", signal);
}

/** Connects to the first address that accepts. Only the last one may take all the remaining time. */
async function openFirst(port: number, addresses: readonly string[], guard: Guard, signal: AbortSignal) {
  for (const address of addresses.slice(0, -1)) {
    try {
      return await openSocket(address, port, guard, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]));
    } catch (error) {
      if (signal.aborted || !ReeveError.is(error) || error.code !== "connector_error") throw error;
    }
  }
  return openSocket(addresses.at(-1) ?? "", port, guard, signal);
}

/**
 * A TCP connection to an address. The guard is asked here, because a guard in a resolver never sees addresses in the
 * URL. It is asked again for the peer that the socket really connected to.
 */
export async function openSocket(address: string, port: number, guard: Guard, signal: AbortSignal): Promise<Socket> {
  if (!isAddress(address) || !guard.permits(address)) throw notAllowed();
  const socket = connect({ host: address, port, autoSelectFamily: false });
  await established(socket, "connect", "unreachable", signal);
  if (guard.permits(socket.remoteAddress ?? "")) return socket;
  socket.destroy();
  throw notAllowed();
}

async function established<S extends Socket>(
  socket: S,
  event: "connect" | "secureConnect",
  reason: "unreachable" | "tls",
  signal: AbortSignal,
): Promise<S> {
  socket.on("error", () => {}); // the reader of the socket reports later errors
  const closed = new AbortController();
  socket.once("close", () => closed.abort());
  try {
    await once(socket, event, { signal: AbortSignal.any([signal, closed.signal]) });
    return socket;
  } catch {
    socket.destroy();
    throw failed(reason);
  }
}
