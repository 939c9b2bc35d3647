import type { Asset } from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { AccessPrincipal } from "../identities/schema.js";
import type { AccessProfile } from "../profiles/schema.js";
import type { AccessResource } from "../resources/schema.js";
import type { NotRequestable } from "../targets/schema.js";

/** What helps against a blocker: time, people who decide again, or nothing. */
export type Remedy = "wait" | "decide" | "none";

/** What keeps access from being asked for, approved, granted or kept. */
export interface Blocker {
  readonly code: BlockerCode;
  readonly message: string;
  readonly remedy: Remedy;
  /** Place of the item that it is about. */
  readonly item?: number;
}

export type BlockerCode =
  | NotRequestable
  | "asset_retired"
  | "identity_gone"
  | "profile_not_approved"
  | "profile_not_requestable"
  | "profile_changed"
  | "profile_unfit"
  | "resource_retired"
  | "resource_not_active"
  | "unmanaged"
  | "target_gone"
  | "assignment_changed"
  | "approver_gone"
  | "conflict";

/** One kind of access, with the records that it names as they are now. */
export interface Item {
  readonly profile: AccessProfile | undefined;
  readonly resource: AccessResource | undefined;
  /** What the profile meant when it was decided. */
  readonly definitionHash: string | undefined;
}

export const retired = (asset: Pick<Asset, "status"> | undefined): Blocker[] =>
  asset && asset.status !== "retired"
    ? []
    : [{ code: "asset_retired", remedy: "none", message: "The asset is retired." }];

/** Whether the kind of access is approved, and still what was decided. */
export function meaningOf({ profile, definitionHash }: Item, item: number): Blocker[] {
  if (profile?.status !== "approved") {
    const message = profile
      ? `The access profile "${profile.name}" is ${profile.status}.`
      : "The access profile is gone.";
    return [{ item, code: "profile_not_approved", remedy: "none", message }];
  }
  if (definitionHash === undefined || definitionHash === profile.definitionHash) return [];
  const message = `The access profile "${profile.name}" means something else by now.`;
  return [{ item, code: "profile_changed", remedy: "decide", message }];
}

export function offerOf({ profile }: Item, item: number): Blocker[] {
  if (!profile || profile.requestable) return [];
  const message = `The access profile "${profile.name}" cannot be requested.`;
  return [{ item, code: "profile_not_requestable", remedy: "none", message }];
}

export function standingOf({ resource }: Item, item: number): Blocker[] {
  if (resource?.status === "active") return [];
  if (!resource || resource.status === "retired") {
    const message = resource ? `The resource "${resource.name}" is retired.` : "The resource is gone.";
    return [{ item, code: "resource_retired", remedy: "none", message }];
  }
  const message = `The resource "${resource.name}" is ${resource.status}.`;
  return [{ item, code: "resource_not_active", remedy: "wait", message }];
}

/** Whether the kind of access can be had on the resource by a principal of this type. */
export function fitOf(
  { profile, resource }: Item,
  item: number,
  principal: Pick<AccessPrincipal, "type"> | undefined,
): Blocker[] {
  if (!profile || !resource || !principal) return [];
  const fits =
    profile.connectorInstanceId === resource.connectorInstanceId &&
    profile.resourceType === resource.resourceType &&
    (profile.resourceId === null || profile.resourceId === resource.id) &&
    profile.grantableTo.includes(principal.type);
  if (fits) return [];
  const message = `"${profile.name}" cannot be granted to ${principal.type} on "${resource.name}".`;
  return [{ item, code: "profile_unfit", remedy: "none", message }];
}

const FINALITY: readonly Remedy[] = ["wait", "decide", "none"];

/** The blocker that least can be done about; `undefined` without any. */
export function mostFinal(blockers: readonly Blocker[]): Blocker | undefined {
  const finality = ({ remedy }: Blocker) => FINALITY.indexOf(remedy);
  return [...blockers].sort((one, other) => finality(other) - finality(one))[0];
}

/** 409 `transition_guard_failed` with the first blocker. */
export function requireNone([first]: readonly Blocker[]): void {
  if (first) throw new ReeveError("transition_guard_failed", first.message);
}
