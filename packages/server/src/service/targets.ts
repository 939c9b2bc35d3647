import { lookup } from "node:dns/promises";
import { connect } from "node:net";

/** How long a target may take to accept a connection, in ms. */
const PATIENCE = 5_000;

/**
 * Why a target of `egressAllow` cannot be reached: its name does not resolve, or nothing listens on its port.
 * `undefined` when it can, or when it is a network or an address without a port.
 */
export async function targetFault(entry: string): Promise<string | undefined> {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || host.includes("/")) return undefined;
  try {
    await lookup(host);
    if (port !== undefined) await accepts(host, Number(port));
    return undefined;
  } catch (error) {
    const { syscall, code, message } = error as NodeJS.ErrnoException;
    return `${entry} does not ${syscall === "getaddrinfo" ? "resolve" : "answer"} (${code ?? message})`;
  }
}

function accepts(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: PATIENCE });
    socket.once("connect", resolve);
    socket.once("error", reject);
    socket.once("timeout", () => reject(new Error(`no connection within ${PATIENCE / 1_000} s`)));
    socket.once("connect", () => socket.destroy());
    socket.once("timeout", () => socket.destroy());
  });
}
