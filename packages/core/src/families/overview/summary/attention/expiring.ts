import { assets, identities, models } from "#families/estate/index.js";
import { clientCredentials } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { fieldValue, type StoredRecord } from "#store/collection.js";
import type { Position } from "#store/find-query.js";
import type { AttentionItem, Source } from "./item.js";

const DAYS = 30;
const NAMED = 25;
/** The sizes of the reads for those to name. Mostly the first is enough. */
const READS = [NAMED, 225, 750];

interface Named extends StoredRecord {
  readonly name: string;
}

interface Ending<R> {
  readonly record: R;
  readonly at: string;
}

/**
 * The records whose time ends within thirty days and that matter, the first ones first. What ends at this moment has
 * ended.
 */
async function endingSoon<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  by: string,
  matters: (record: R) => boolean = () => true,
): Promise<Ending<R>[]> {
  const range = { from: ctx.now, before: timestamp(ctx.request.nowMs + daysMs(DAYS)) };
  const query = { order: { by, direction: "asc" }, range } as const;
  const ending: Ending<R>[] = [];
  let after: Position | undefined;
  for (const size of READS) {
    const { rows, next } = await ctx.db.find(collection, { ...query, size, ...(after ? { after } : {}) });
    for (const { value } of rows) {
      const at = fieldValue(collection, value, by) as string;
      if (at !== ctx.now && matters(value)) ending.push({ record: value, at });
    }
    after = next;
    if (!after || ending.length >= NAMED) break;
  }
  return ending.slice(0, NAMED);
}

const item = (kind: string, title: string, href: string, at: string): AttentionItem => ({
  kind,
  severity: "medium",
  title,
  count: 1,
  href,
  at,
});

/** Records that expire soon, each by its own address. */
function expiring<R extends Named>(
  permission: string,
  collection: Collection<R>,
  by: string,
  kind: string,
  title: (name: string) => string,
): Source {
  return {
    permission,
    async find(ctx) {
      const found = await endingSoon(ctx, collection, by);
      return found.map(({ record: { id, name }, at }) =>
        item(kind, title(name), `${collection.resource?.path}/${id}`, at),
      );
    },
  };
}

/** Credentials that end soon and that none has replaced. */
const credentialsExpiring: Source = {
  permission: "ai-identity:read",
  async find(ctx) {
    const last = await endingSoon(ctx, clientCredentials, "expiresAt", ({ replacedBy }) => replacedBy === null);
    if (last.length === 0) return [];
    const rows = await ctx.db.getMany(identities, [...new Set(last.map(({ record }) => record.identityId))]);
    const names = new Map(rows.map(({ id, value }) => [id, value.name]));
    return last.map(({ record: { name, identityId }, at }) =>
      item(
        "credential_expiring",
        `The credential "${name}" of "${names.get(identityId) ?? identityId}" ends`,
        `${identities.resource?.path}/${identityId}/credentials`,
        at,
      ),
    );
  },
};

export const expiringSources: readonly Source[] = [
  expiring("ai-asset:read", assets, "expiresAt", "approval_expiring", (name) => `The approval of "${name}" runs out`),
  expiring(
    "ai-identity:read",
    identities,
    "expiresAt",
    "identity_expiring",
    (name) => `The credential of "${name}" runs out`,
  ),
  expiring(
    "ai-model:read",
    models,
    "providerRetirementAt",
    "model_retiring",
    (name) => `The model "${name}" is taken out of service by its provider`,
  ),
  credentialsExpiring,
];
