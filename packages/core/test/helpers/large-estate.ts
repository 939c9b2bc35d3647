import type { World } from "@reeve/testkit";
import { assets } from "#families/estate/assets/schema.js";
import { ulidSource } from "../../src/testing/index.js";

const BATCH = 1_000;

/** Writes `count` assets like the asset `id` to the store of a tenant, each with another name and external id. */
export async function fillEstate({ store, clock }: World, tenantId: string, id: string, count: number): Promise<void> {
  const tenant = store.forTenant(tenantId);
  const row = await tenant.get(assets, id);
  if (!row) throw new Error(`There is no asset ${id}.`);
  const sample = row.value;
  const ids = ulidSource();
  for (let start = 0; start < count; start += BATCH) {
    const records = Array.from({ length: BATCH }, (_, at) => {
      const number = start + at;
      const externalRef = { ...sample.externalRef, id: `external-${number}` };
      const name = `asset number ${number} of the estate`;
      return { ...sample, id: `${id.split("_")[0]}_${ids.next(clock.now() + number)}`, name, externalRef };
    });
    await tenant.insertMany(assets, records as never);
  }
}
