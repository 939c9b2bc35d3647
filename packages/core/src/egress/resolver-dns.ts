import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Dns } from "../ports/dns.js";

/** Settings of the default DNS port. */
export interface DnsSettings {
  /** Addresses of name servers, each with or without `:port`. Absent or empty: those of the system. */
  readonly servers?: readonly string[];
  /** Milliseconds per answer, including retries. 4,000 when absent. */
  readonly timeoutMs?: number;
}

/** Answers of name servers that mean "no such record", as opposed to a failure. */
const NOTHING: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);
const TRIES = 2;

/** Queries name servers directly. It bypasses `/etc/hosts` and takes no thread. */
export function resolverDns({ servers = [], timeoutMs = 4_000 }: DnsSettings = {}): Dns {
  return {
    async txt(name) {
      // One resolver per query, so that cancelling one does not cancel the others.
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

/** Why the address of a name server is invalid; `undefined` when it is valid. */
export function dnsServerFault(entry: string): string | undefined {
  const { six, four, port = "53" } = SERVER.exec(entry)?.groups ?? {};
  const sound = four === undefined ? isIP(six ?? entry) === 6 : isIP(four) === 4;
  if (!sound) return "must be an IP address, with or without a port";
  return Number(port) >= 1 && Number(port) <= 65_535 ? undefined : "must have a port of 1 to 65535";
}
