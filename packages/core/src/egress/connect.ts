import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { ReeveError } from "../kernel/http/errors.js";
import { isAddress } from "./address.js";
import { failed, notAllowed } from "./failure.js";
import type { Guard } from "./guard.js";
import type { Target } from "./target.js";

/** How long one address may take to connect while others are left to try, in ms. */
const PATIENCE = 2_000;

/** A connection to the first of the addresses that answers, with TLS when the target wants it. The caller destroys it. */
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
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
  });
  return established(secured, "secureConnect", "tls", signal);
}

/** A connection to the first address that opens one; the last may take all the time there is. */
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
 * A TCP connection to an address. The guard is asked here, where the socket is made, because a guard in a resolver is
 * never called for addresses in the URL; it is asked again of the peer that the system has in fact connected to.
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
  socket.on("error", () => {}); // a later error is told by what reads the socket
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
