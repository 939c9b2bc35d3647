import type { Environment } from "#kernel/config/environment.js";
import { isIdOf } from "#store/collection.js";
import { tenants } from "../tenants/schema.js";

/** The tenant with this id, subdomain or active alias. `undefined` for none. */
export async function tenantNamed({ store }: Pick<Environment, "store">, name: string): Promise<string | undefined> {
  if (isIdOf(tenants, name)) return (await store.forTenant(name).get(tenants, name))?.id;
  const label = name.toLowerCase();
  const row =
    (await store.platform.lookup(tenants, "subdomain", { subdomain: label })) ??
    (await store.platform.lookup(tenants, "alias", { activeAlias: label }));
  return row?.tenantId;
}
