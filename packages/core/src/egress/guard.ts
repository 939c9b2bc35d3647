import { kindOf } from "./address.js";
import type { AllowList } from "./allow-list.js";
import { isLocalName } from "./host-name.js";
import type { Target } from "./target.js";

/** What may be connected to for one target. */
export interface Guard {
  /** No address could be permitted, so the name need not be resolved. */
  readonly hopeless: boolean;
  permits(address: string): boolean;
}

/**
 * Public addresses by https on the given ports; beyond that what the deployment has named. A listed name may lead into
 * private networks but not to special addresses; those only an address or network of the list can name.
 */
export function guardOf(target: Target, allow: AllowList, ports: readonly number[]): Guard {
  const { secure, host, literal, port } = target;
  const named = !literal && allow.names(host, port);
  const ordinary = secure && ports.includes(port) && (literal || !isLocalName(host));
  return {
    hopeless: !named && !ordinary && !allow.hasNetwork(port),
    permits(address) {
      const kind = kindOf(address);
      if (kind === "public" && (ordinary || named)) return true;
      if (kind === "private" && named) return true;
      return allow.covers(address, port);
    },
  };
}
