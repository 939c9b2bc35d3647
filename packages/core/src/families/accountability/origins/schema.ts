import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const Ids = z.array(z.string());

const Origin = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  kind: z.enum(["account", "machine", "earlier_id"]),
  /** Who created it. `null` for founders and for accounts of the host. */
  madeBy: z.string().nullable(),
  /** Whose earlier id it is. Who set the password of an account, or issued credentials of a machine, and so may hold its secret. */
  heldBy: Ids,
  /** Who gave the roles of an account. */
  rolesBy: Ids,
  /** Who owns a machine, or has owned it. */
  ownedBy: Ids,
});
export type Origin = z.output<typeof Origin>;

/**
 * Where accounts and machines come from. The id is that of the user or AI identity, which it outlives: who deletes an
 * account does not delete whose it was.
 */
export const origins = defineCollection<Origin>({
  name: "origins",
  prefix: null,
  schema: Origin,
  secrets: [],
});
