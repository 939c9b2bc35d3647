import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import type { assignmentStatus } from "./machine.js";

type Status = keyof typeof assignmentStatus.states;

/** What of an assignment says whether it holds a grant. */
interface Standing {
  readonly status: Status;
  readonly grantKey: string;
}

/** What of an assignment says when it is in force. */
interface Bounds {
  readonly status: Status;
  readonly notBefore: string;
  readonly isPermanent: boolean;
  readonly expiresAt: string | null;
}

const HOLDING: ReadonlySet<Status> = new Set(["pending", "active"]);
const UNCONFIRMED: ReadonlySet<Status> = new Set(["revoking", "revoke_failed"]);

/** The grant that an assignment wants to be there; `null` when it wants none. */
export const holdingOf = ({ status, grantKey }: Standing): string | null => (HOLDING.has(status) ? grantKey : null);

/** The grant whose end an assignment waits for. */
export const endingOf = ({ status, grantKey }: Standing): string | null =>
  UNCONFIRMED.has(status) || status === "attested" ? grantKey : null;

/** Whether the target may have something of it, as far as anybody says. */
export const isLive = ({ status }: Pick<Standing, "status">): boolean => HOLDING.has(status) || UNCONFIRMED.has(status);

/** When time ends an assignment; `null` when it does not. One without an end that is not permanent has ended already. */
export function endsAt({
  status,
  isPermanent,
  expiresAt,
  duration,
  notBefore,
}: Bounds & { readonly duration: string | null }): string | null {
  if (!HOLDING.has(status) || isPermanent) return null;
  if (expiresAt !== null) return expiresAt;
  return status === "pending" && duration !== null ? null : notBefore;
}

/** Since when access that is active was not seen in use; `null` when it is not active. */
export const idleSince = ({
  status,
  lastUsedAt,
  activatedAt,
}: Pick<Bounds, "status"> & { readonly lastUsedAt: string | null; readonly activatedAt: string | null }) =>
  status === "active" ? (lastUsedAt ?? activatedAt) : null;

/** The end of an assignment, with the one before that counts again when it is used. */
interface Ending extends Pick<Bounds, "expiresAt" | "isPermanent"> {
  readonly unusedNotice: (Pick<Bounds, "expiresAt" | "isPermanent"> & { readonly endsAt: string }) | null;
}

/** Whether the end of an assignment is the one that the notice about its use has set. */
export const endsUnused = ({ expiresAt, unusedNotice }: Ending): boolean => unusedNotice?.endsAt === expiresAt;

/** Hash of the access of an assignment and of the end that people gave it, so that a change of either is noticed. */
export function assignmentHash(one: Ending & Pick<Standing, "grantKey">): string {
  const { expiresAt, isPermanent } = endsUnused(one) && one.unusedNotice ? one.unusedNotice : one;
  return sha256(canonical([one.grantKey, expiresAt, isPermanent]));
}

/** What an assignment's effect depends on besides itself, at one moment. */
export interface Circumstances {
  readonly now: string;
  /** Why the asset may not be used now; `undefined` when it may. Kill switches and halts are among the reasons. */
  readonly assetDenied: string | undefined;
  /** The profile as it is now; `undefined` when there is none. */
  readonly profile: { readonly status: string } | undefined;
}

/**
 * Why an assignment is not in force; empty when it is. Every reader and every use asks this one function, with the
 * clock of the moment.
 */
export function ineffectiveBecause(assignment: Bounds, { now, assetDenied, profile }: Circumstances): string[] {
  const { status, notBefore, isPermanent, expiresAt } = assignment;
  const reasons: string[] = [];
  if (status !== "active") reasons.push(`status:${status}`);
  if (notBefore > now) reasons.push("not_begun");
  if (!isPermanent && (expiresAt === null || expiresAt <= now)) reasons.push("expired");
  if (assetDenied !== undefined) reasons.push(`asset:${assetDenied}`);
  if (!profile || profile.status === "disabled") reasons.push(`profile:${profile?.status ?? "missing"}`);
  return reasons;
}

/** Whether an assignment is in force at a moment. */
export function isEffective(...given: Parameters<typeof ineffectiveBecause>): boolean {
  return ineffectiveBecause(...given).length === 0;
}
