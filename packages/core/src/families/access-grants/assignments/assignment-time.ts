import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import type { AccessAssignment } from "./schema.js";

type Bounds = Pick<AccessAssignment, "isPermanent" | "duration" | "expiresAt">;

/** Whether exactly one of the three says how long access lasts. An end that is missing is never taken for permanence. */
export const isBounded = ({ isPermanent, duration, expiresAt }: Bounds): boolean =>
  [isPermanent, duration !== null, expiresAt !== null].filter(Boolean).length === 1;

/** When access that is activated now ends: its duration runs from here, and not from when it was asked for. */
export function expiryFrom({ isPermanent, duration, expiresAt }: Bounds, nowMs: number): string | null {
  if (isPermanent) return null;
  return expiresAt ?? (duration === null ? timestamp(nowMs) : timestamp(nowMs + millisecondsOf(duration)));
}

/** What activation sets. */
export function activationOf(one: Bounds, nowMs: number): Pick<AccessAssignment, "activatedAt" | "expiresAt"> {
  return { activatedAt: timestamp(nowMs), expiresAt: expiryFrom(one, nowMs) };
}

/** The event that ends an assignment once the target has confirmed it. */
export function endStateOf({ endReason }: Pick<AccessAssignment, "endReason">) {
  if (endReason === "expired") return "confirm_expired";
  return endReason === "provision_failed" ? "confirm_failed" : "confirm_revoked";
}
