import type { Blocker } from "#families/access/index.js";
import { accessAssignments, assignmentHash } from "#families/access-grants/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { RequestFields, Wanted } from "../fields.js";
import type { AccessRequest } from "../schema.js";
import { notRequestable } from "./items.js";

/** The assignment that a request changes, as an item that keeps it as it is. */
export interface Change {
  readonly assignmentId: string;
  readonly connectorInstanceId: string;
  readonly identityId: string;
  readonly item: Wanted;
  /** What it is before the change, as `assignmentHash`. */
  readonly assignmentHash: string;
}

/** What a request changes; `undefined` for one of new access. */
export async function changeOf(
  ctx: ReadContext,
  assetId: string,
  { type = "grant", assignmentId, emergency = false, items, connectorInstanceId, identityId }: Partial<RequestFields>,
): Promise<Change | undefined> {
  if (type === "grant" || type === "adopt") {
    if (assignmentId !== undefined) throw invalidProperty("/assignmentId", "It is for `extend` and `modify`.");
    if (type === "adopt" && emergency) throw invalidProperty("/emergency", "What is there already is no emergency.");
    return undefined;
  }
  const row = assignmentId === undefined ? undefined : await ctx.db.get(accessAssignments, assignmentId);
  const one = row && ctx.derived(accessAssignments, row);
  if (!one || one.assetId !== assetId)
    throw invalidProperty("/assignmentId", "Name an assignment of the asset.", "invalid_reference");
  if (one.status !== "active") throw notRequestable(`The assignment is ${one.status}, and not active.`);
  if (one.source === "emergency" || emergency)
    throw notRequestable("Emergency access is neither extended nor widened.");
  if (type === "extend" && items !== undefined) throw invalidProperty("/items", "What is extended stays as it is.");
  if (connectorInstanceId !== undefined && connectorInstanceId !== one.connectorInstanceId)
    throw invalidProperty("/connectorInstanceId", "The assignment is of another target.");
  if (identityId !== undefined && identityId !== one.identityId)
    throw invalidProperty("/identityId", "The assignment is of another identity.");
  const { accessProfileId, resourceId, parameters } = one;
  return {
    ...{ assignmentId: one.id, connectorInstanceId: one.connectorInstanceId, identityId: one.identityId },
    item: { accessProfileId, resourceId, parameters },
    assignmentHash: assignmentHash(one),
  };
}

/** What keeps an assignment from being changed as it was asked for. */
export async function changeBlockers(
  ctx: ReadContext,
  { assignmentId, assignmentHash: asked, items }: Pick<AccessRequest, "assignmentId" | "assignmentHash" | "items">,
): Promise<Blocker[]> {
  if (assignmentId === null) return [];
  const row = await ctx.db.get(accessAssignments, assignmentId);
  const one = row && ctx.derived(accessAssignments, row);
  const blocked = (message: string): Blocker[] => [{ code: "assignment_changed", remedy: "none", message }];
  if (one?.status !== "active") return blocked("The assignment that it is about is over.");
  const isSame = assignmentHash(one) === asked && items.every(({ resourceId }) => resourceId === one.resourceId);
  return isSame ? [] : blocked("The assignment that it is about was changed since. Ask for it anew.");
}
