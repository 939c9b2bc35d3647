import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Dns } from "../ports/dns.js";

/** How the resolver of the default port asks. */
export interface DnsSettings {
  /** Addresses of name servers, each with or without `:port`; those of the system when absent or empty. */
  readonly servers?: readonly string[];
  /** Milliseconds for one answer, all retries included. 4,000 when absent. */
  readonly timeoutMs?: number;
}

/** What name servers answer when there is nothing, as opposed to when they cannot say. */
const NOTHING: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);
const TRIES = 2;

/** Asks name servers directly, past `/etc/hosts` and without a thread. */
export function resolverDns({ servers = [], timeoutMs = 4_000 }: DnsSettings = {}): Dns {
  return {
    async txt(name) {
      // A resolver of its own for each question, so that giving one up does not give up the others.
      const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / TRIES), tries: TRIES });
      if (servers.length > 0) resolver.setServers([...servers]);
      const timer = setTimeout(() => resolver.cancel(), timeoutMs);
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
      } catch (error) {
        if (NOTHING.has((error as NodeJS.ErrnoException).code)) return [];
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

const SERVER = /^(?:\[(?<six>[^\]]+)\]|(?<four>[\d.]+))(?::(?<port>\d{1,5}))?$/;

/** What is wrong with the address of a name server; `undefined` when nothing is. */
export function dnsServerFault(entry: string): string | undefined {
  const { six, four, port = "53" } = SERVER.exec(entry)?.groups ?? {};
  const sound = four === undefined ? isIP(six ?? entry) === 6 : isIP(four) === 4;
  if (!sound) return "must be an IP address, with or without a port";
  return Number(port) >= 1 && Number(port) <= 65_535 ? undefined : "must have a port of 1 to 65535";
}
