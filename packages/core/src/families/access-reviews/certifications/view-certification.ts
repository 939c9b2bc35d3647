import type { z } from "zod";
import { batched } from "#kernel/async/batched.js";
import { countsNow } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { countsOf } from "./certification-report.js";
import { certificationItems } from "./items/schema.js";
import type { Certification, ShownCertification } from "./schema.js";

/** Shows campaigns with how far they are, with one query for all that are asked for at once. */
export function certificationView(ctx: ReadContext) {
  const counts = batched<string, Record<string, number>>(async (ids) => {
    const standings = await countsNow(ctx, certificationItems, "standing");
    return new Map(ids.map((id) => [id, countsOf(id, standings)] as const));
  });
  return async (one: Certification): Promise<z.output<typeof ShownCertification>> => ({
    ...one,
    counts: (await counts(one.id)) ?? {},
  });
}
