import { batched } from "#kernel/async/batched.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { aloneOf } from "../review/decide-together.js";
import { standing } from "../rules.js";
import { type Certification, certifications } from "../schema.js";
import { CertificationDecision, CertificationItem } from "./schema.js";

/** An item as it is served. */
export const ShownItem = CertificationItem.extend({
  certificationName: z.string().meta({ description: "Name of the campaign." }),
  open: z.boolean().meta({ description: "It can be decided now, or its decision changed." }),
  alone: z
    .object({
      certify: z.array(z.string()).meta({ description: "Why it is not certified together with others." }),
      revoke: z.array(z.string()).meta({ description: "Why it is not revoked together with others." }),
    })
    .meta({
      description: "Why it is decided alone, by what was looked at. Empty where it may be decided with others.",
    }),
  yours: CertificationDecision.nullable().meta({ description: "What the caller has decided." }),
}).meta({ id: "AccessCertificationItem" });

/** Shows items to whoever asks, with one query for the campaigns of all that are asked for at once. */
export function itemView(ctx: ReadContext): (item: CertificationItem) => Promise<z.output<typeof ShownItem>> {
  const campaigns = batched<string, Certification>(async (ids) => {
    const rows = await ctx.db.getMany(certifications, ids);
    return new Map(rows.map(({ id, value }) => [id, value]));
  });
  return async (item) => {
    const campaign = await campaigns(item.certificationId);
    const isOpen = item.status === "pending" || item.status === "decided";
    const inTime = item.dueAt !== null && ctx.now < item.dueAt;
    const { userId } = ctx.principal;
    return {
      ...item,
      certificationName: campaign?.name ?? "",
      open: campaign?.status === "active" && isOpen && inTime,
      alone: aloneOf(item, undefined, { nowMs: ctx.request.nowMs, maxDataAge: campaign?.maxDataAge ?? "P0D" }),
      yours: standing(item, item.decisions).find(({ by }) => by === userId) ?? null,
    };
  };
}
