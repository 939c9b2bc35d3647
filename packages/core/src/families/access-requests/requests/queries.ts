import type { AccessAssignment } from "#families/access-grants/index.js";
import { batched } from "#kernel/async/batched.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ListQuery } from "#kernel/operation/list-query.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Page } from "#kernel/records/outcome.js";
import { type AccessRequest, type AskedApprover, accessRequests, askedApprovers } from "./schema.js";

/** The most changes of one assignment whose requests are read, the newest first. */
const CHANGES = 100;

/** The requests that each of some assignments comes from and was changed by, with two queries per 1,000. */
export async function requestsBehind(
  ctx: ReadContext,
  some: readonly Pick<AccessAssignment, "id" | "requestId">[],
): Promise<(one: Pick<AccessAssignment, "id" | "requestId">) => readonly AccessRequest[]> {
  const ids = [...new Set(some.flatMap(({ requestId }) => requestId ?? []))];
  const firsts = await inChunks(ids, (each) => ctx.db.getMany(accessRequests, each));
  const first = new Map(firsts.map(({ id, value }) => [id, [value]]));
  const changes = await inChunks([...new Set(some.map(({ id }) => id))], async (values) => [
    ...(await ctx.db.findTopPerKey(accessRequests, { field: "changed", values, size: CHANGES })),
  ]);
  const changed = new Map(changes.map(([id, rows]) => [id, rows.map(({ value }) => value)]));
  return ({ id, requestId }) => [...(first.get(requestId ?? "") ?? []), ...(changed.get(id) ?? [])];
}

const WITH: ReadonlySet<string> = new Set(["page", "size", "cursor", "assetId", "connectorInstanceId"]);

/** Requests that wait for somebody, found by an index of whom each waits for. */
export function askedPage(
  ctx: ReadContext,
  approverId: string,
  query: ListQuery,
  view: (one: AccessRequest) => unknown,
): Promise<Page> {
  const other = Object.entries(query).find(([name, value]) => value !== undefined && !WITH.has(name))?.[0];
  if (other !== undefined) {
    const message = "It is not combined with `approverId`.";
    throw new ReeveError("invalid_request", message, {
      errors: [{ parameter: other, code: "invalid_request", message }],
    });
  }
  const userId = approverId === "me" ? ctx.principal.userId : approverId;
  const requests = batched<string, AccessRequest>(async (ids) => {
    const rows = await ctx.db.getMany(accessRequests, ids);
    return new Map(rows.map((row) => [row.id, ctx.derived(accessRequests, row)]));
  });
  return ctx.page<AskedApprover>(askedApprovers, query, { where: { userId } }, async ({ requestId }) => {
    const request = await requests(requestId);
    if (!request) throw new Error(`there is no request ${requestId}`);
    return view(request);
  });
}
