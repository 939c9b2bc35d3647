import type { AccessAssignment } from "#families/access-grants/index.js";
import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { AccessSnapshot } from "./items/schema.js";

/** What other resources know of access that is reviewed. Absent is not known. */
export interface AccessFacts {
  readonly usageState?: AccessSnapshot["usageState"];
  readonly openDrift?: number;
  /** What it conflicts with, in words. */
  readonly conflicts?: readonly string[];
  /** Ids of who asked for it, for themselves or for others. */
  readonly requestedBy?: readonly string[];
  /** Ids of who approved it, for each request for it. */
  readonly approvedBy?: readonly (readonly string[])[];
}

/** Extension point: facts about assignments by their ids, with a few queries for all of them. */
export const accessFacts =
  defineExtensionPoint<
    (ctx: ReadContext, some: readonly AccessAssignment[]) => Promise<ReadonlyMap<string, AccessFacts>>
  >("access.facts");

type People = Pick<AccessFacts, "requestedBy" | "approvedBy">;

/** Extension point: who asked for assignments and who approved them, by their ids, with a few queries for all of them. */
export const accessPeople =
  defineExtensionPoint<(ctx: ReadContext, some: readonly AccessAssignment[]) => Promise<ReadonlyMap<string, People>>>(
    "access.people",
  );

/** Who asked for each of some assignments and who approved it, as far as anybody knows. */
export async function peopleOf(
  ctx: ReadContext,
  some: readonly AccessAssignment[],
): Promise<(one: AccessAssignment) => People> {
  return together(await Promise.all(ctx.env.use(accessPeople).map((read) => read(ctx, some))));
}

/** What is known of each of some assignments. */
export async function factsOf(
  ctx: ReadContext,
  some: readonly AccessAssignment[],
): Promise<(one: AccessAssignment) => AccessFacts> {
  return together(await Promise.all(ctx.env.use(accessFacts).map((read) => read(ctx, some))));
}

/** What all who know something say of an assignment. */
function together<T extends object>(found: readonly ReadonlyMap<string, T>[]): (one: AccessAssignment) => T {
  return ({ id }) => Object.assign({}, ...found.map((known) => known.get(id) ?? {}));
}

/** Whether access is used, as far as anybody knows. Access that was used once is not unknown. */
export function usageOf(one: AccessAssignment, { usageState }: AccessFacts): AccessSnapshot["usageState"] {
  return usageState ?? (one.lastUsedAt === null ? "unknown" : "used");
}
