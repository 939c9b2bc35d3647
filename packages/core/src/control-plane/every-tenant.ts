import { PLATFORM_TENANT, tenants } from "../families/platform/index.js";
import type { ReadStore } from "../kernel/config/read-store.js";

/** Tenants read at a time. */
const BATCH = 500;

/** The id of the platform, then those of all tenants but for those whose rows are being deleted. */
export async function* everyTenant(store: Pick<ReadStore, "platform">): AsyncGenerator<string> {
  yield PLATFORM_TENANT;
  let after: { by: string | number | null; id: string } | undefined;
  do {
    const { rows, next } = await store.platform.find(tenants, { size: BATCH, ...(after ? { after } : {}) });
    for (const { id, value } of rows) if (value.status !== "erasing") yield id;
    after = next;
  } while (after);
}
