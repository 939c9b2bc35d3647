import { lookup as systemResolver } from "node:dns/promises";
import { failed, notAllowed } from "./failure.js";
import type { Guard } from "./guard.js";
import type { Target } from "./target.js";

/** All addresses of a name, IPv4 and IPv6. Called once per hop; only these addresses are connected to. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** The system's resolver, which respects `/etc/hosts` and the search domains of a cluster. */
export const systemLookup: Lookup = async (host) => {
  const answers = await systemResolver(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
};

/** The addresses of a target. A name with any forbidden address is refused. */
export async function addressesOf(
  target: Target,
  guard: Guard,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (guard.permitsNone) throw notAllowed();
  const addresses = target.literal ? [target.host] : await ask(lookup, target.host, signal);
  if (addresses.length === 0) throw failed("unresolved");
  if (!addresses.every((address) => guard.permits(address))) throw notAllowed();
  return addresses;
}

async function ask(lookup: Lookup, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(failed("unresolved")), { once: true });
  });
  try {
    return [...new Set(await Promise.race([lookup(host), ended]))]; // the system's resolver cannot be cancelled
  } catch {
    throw failed("unresolved");
  }
}
