import { type Blocker, blockersOf, mostFinal } from "#families/access/index.js";
import { Reviewers } from "#families/access-reviews/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { unresolvedConflicts } from "../conflicts/unresolved.js";
import { changeBlockers } from "../create/change.js";
import { DECIDE } from "../decide/candidates.js";
import { editedSince } from "../decide/edited-since.js";
import type { AccessRequest } from "../schema.js";

/** What keeps approved access from being granted now; of several, what least can be done about. */
export async function grantBlocker(ctx: ReadContext, request: AccessRequest): Promise<Blocker | undefined> {
  return mostFinal([
    ...(await blockersOf(ctx, request, "grant")),
    ...(await changeBlockers(ctx, request)),
    ...(await voterBlockers(ctx, request)),
    ...(await unresolvedConflicts(ctx, request)).map(
      ({ text }): Blocker => ({ code: "conflict", remedy: "none", message: text }),
    ),
  ]);
}

/** What has become of those who approved it. */
async function voterBlockers(ctx: ReadContext, { votes }: AccessRequest): Promise<Blocker[]> {
  const blocked = (message: string): Blocker[] => [{ code: "approver_gone", remedy: "decide", message }];
  const voters = [...new Set(votes.filter((vote) => !vote.stale && vote.decision === "approve").map(({ by }) => by))];
  const working = await new Reviewers(ctx, DECIDE).named(voters);
  if (working.length < voters.length) return blocked("Somebody who has approved it may approve nothing any more.");
  if ((await editedSince(ctx, votes)).size === 0) return [];
  return blocked("Somebody who has approved it has changed a policy since.");
}
