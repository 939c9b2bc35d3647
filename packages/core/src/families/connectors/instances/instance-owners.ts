import { refuseSelfAppointment } from "#families/accountability/index.js";
import { users } from "#families/identity/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** Whose office changes: the owners until now, and who may hand it over. */
interface Office {
  readonly before: readonly string[];
  /** Who hands it over without a permission of their own. By default the owners until now. */
  readonly holders?: readonly string[];
}

/**
 * 400 unless each new owner is an active user of the tenant. 403 unless an owner hands the office over or the caller may
 * assign it, and where somebody would appoint themself. Whoever sets something up names its first owners.
 */
export async function requireOwners(
  ctx: ReadContext,
  ownerIds: readonly string[] | undefined,
  office?: Office,
): Promise<void> {
  if (ownerIds === undefined) return;
  const before = office?.before ?? [];
  const added = [...new Set(ownerIds)].filter((id) => !before.includes(id));
  const active = (await ctx.db.getMany(users, added)).filter(({ value }) => value.status === "active");
  if (active.length < added.length)
    throw invalidProperty("/ownerIds", "There is no active user with one of these ids.", "invalid_reference");
  const isSame = added.length === 0 && before.every((id) => ownerIds.includes(id));
  if (!office || isSame) return;
  const { holders = before } = office;
  if (!holders.includes(ctx.principal.userId)) requirePermission(ctx.env, ctx.principal, "connector:assign");
  // Who owns the whole owns its parts already.
  const others = added.filter((id) => !holders.includes(id));
  await refuseSelfAppointment(ctx, others, "/ownerIds");
}
