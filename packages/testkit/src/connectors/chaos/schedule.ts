import type { ErrorClass } from "@reeve/core/connectors";

/** Methods that chaos reaches. */
export type ChaosMethod = "grant" | "revoke" | "modify" | "verify" | OtherMethod | ListMethod;
type OtherMethod = "testConnection" | "findPrincipal" | "pollOperation" | "executeTool" | "endSessions";
export type ListMethod = (typeof LISTS)[number];

/**
 * What goes wrong. `error` and `hang` happen `before` the target is called or `after` it has answered, when the answer is
 * lost. The others change the `response`.
 */
export type Fault =
  | { readonly phase: "before" | "after"; readonly kind: "error"; readonly errorClass: ErrorClass }
  /** No answer until the call is given up. */
  | { readonly phase: "before" | "after"; readonly kind: "hang" }
  /** From now on the target refuses every write as `permission`. */
  | { readonly phase: "before"; readonly kind: "read_only" }
  /** The page holds the items of the page before as well. */
  | { readonly phase: "response"; readonly kind: "duplicate_page" }
  /** The page leads back to itself. */
  | { readonly phase: "response"; readonly kind: "cycle" }
  /** The page is empty, and the listing is not complete. */
  | { readonly phase: "response"; readonly kind: "missing_page" }
  /** The target says that it has revoked, and the access is still there. */
  | { readonly phase: "response"; readonly kind: "partial_revoke" }
  /** The target shows nothing of what it has: the check says `absent`, and the page is empty and said to be all. */
  | { readonly phase: "response"; readonly kind: "hide" }
  /** The outcome is `already_applied` where it was `applied`, and the other way round. */
  | { readonly phase: "response"; readonly kind: "drift" };

/** One fault at one call. */
export type Injection = Fault & {
  readonly method: ChaosMethod;
  /**
   * Key of the grant, type of the resources, name of the tool, reference of the operation, or id of the principal or what
   * it is named by. Empty for methods that have none of these.
   */
  readonly subject: string;
  /** Which call of this method about this subject, from 1. */
  readonly attempt: number;
  /** Whether the run is void unless it fires. It is when absent. */
  readonly required?: boolean;
};

const LISTS = [
  ...(["discoverAssets", "listResources", "listAccessProfiles"] as const),
  ...(["listGrants", "listUsage", "listCredentials"] as const),
] as const;
const WRITING: readonly ChaosMethod[] = ["grant", "revoke", "modify"];
const ONLY: Partial<Record<Fault["kind"], readonly ChaosMethod[]>> = {
  read_only: WRITING,
  duplicate_page: LISTS,
  cycle: LISTS,
  missing_page: LISTS,
  partial_revoke: ["revoke"],
  hide: ["verify", "listGrants"],
  drift: WRITING,
};

/** Throws `TypeError` for a fault that its method cannot have, and for two at one place. */
export function checkSchedule(schedule: readonly Injection[]): void {
  const places = new Set<string>();
  for (const injection of schedule) {
    const { method, kind } = injection;
    if (!(ONLY[kind]?.includes(method) ?? true)) throw new TypeError(`chaos: ${method} cannot have ${kind}`);
    const place = placeOf(injection);
    if (places.has(place)) throw new TypeError(`chaos: two faults at ${place}`);
    places.add(place);
  }
}

export const placeOf = ({ method, subject, attempt, phase }: Omit<Injection, "kind" | "errorClass">): string =>
  `${method} of ${subject || "everything"}, call ${attempt}, ${phase}`;
