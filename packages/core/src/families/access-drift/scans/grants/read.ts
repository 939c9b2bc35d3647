import { type ObservedGrant, PRINCIPAL_TYPES } from "#connectors/index.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { z } from "#schema/z.js";

const Text = z.string().min(1).max(500);

const Listed = z.object({
  resource: z.object({ type: Text, externalId: Text }),
  profileExternalId: Text,
  principal: z.object({ type: z.enum(PRINCIPAL_TYPES), externalId: Text, displayName: z.string().optional() }),
  parameters: z.record(z.string(), z.unknown()).optional(),
  permissions: z.array(z.string()).max(500).optional(),
  expiresAt: z.date().nullish(),
  source: z.enum(["direct", "inherited"]),
  immutable: z.boolean().optional(),
});
/** A grant that a target lists. */
export type ListedGrant = z.output<typeof Listed>;

/** Reads an entry of a listing of grants; `undefined` when it cannot be used. */
export function readGrant(entry: ObservedGrant): ListedGrant | undefined {
  const { success, data } = Listed.safeParse(entry);
  if (!success) return undefined;
  const { displayName } = data.principal;
  return displayName === undefined
    ? data
    : { ...data, principal: { ...data.principal, displayName: nameOf(displayName) } };
}
