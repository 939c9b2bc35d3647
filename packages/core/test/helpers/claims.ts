import type { Store } from "../../src/index.js";

/** Lets the claim that a dead process has on a tenant end at once, as it does after 30 s. Numbers rise by one. */
export async function endClaim({ dues }: Pick<Store, "dues">, tenantId: string): Promise<void> {
  for (let claim = 1; claim < 1_000; claim++) if (await dues.renew(tenantId, claim, 0)) return;
}
