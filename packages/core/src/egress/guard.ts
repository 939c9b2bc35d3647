import { kindOf } from "./address.js";
import type { AllowList } from "./allow-list.js";
import { isLocalName } from "./host-name.js";
import type { Target } from "./target.js";

/** The addresses that a target may connect to. */
export interface Guard {
  /** No address can be permitted, so the name need not be resolved. */
  readonly permitsNone: boolean;
  permits(address: string): boolean;
}

/**
 * Permits public addresses by https on `ports`, and what the deployment allows. An allowed name may resolve to private
 * addresses. Special addresses must be allowed by address or network.
 */
export function guardOf(target: Target, allow: AllowList, ports: readonly number[]): Guard {
  const { secure, host, literal, port } = target;
  const named = !literal && allow.names(host, port);
  const ordinary = secure && ports.includes(port) && (literal || !isLocalName(host));
  return {
    permitsNone: !named && !ordinary && !allow.hasNetwork(port),
    permits(address) {
      const kind = kindOf(address);
      if (kind === "public" && (ordinary || named)) return true;
      if (kind === "private" && named) return true;
      return allow.covers(address, port);
    },
  };
}
