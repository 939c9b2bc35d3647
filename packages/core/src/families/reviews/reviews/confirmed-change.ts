import type { PastChange } from "#families/activity/index.js";

/** What has waited on a policy, as an event tells of it. */
interface Pending {
  readonly by: string;
  readonly change: object | null;
}

/** Whether an event makes the change of a policy that somebody else has asked for, rather than dropping it. */
export function confirmsChange({ by, changes }: PastChange): boolean {
  const pending = changes?.find(({ field }) => field === "pending")?.from as Pending | null | undefined;
  if (!pending || pending.by === by) return false;
  return Object.keys(pending.change ?? {}).some((wanted) => changes?.some(({ field }) => field === wanted));
}
