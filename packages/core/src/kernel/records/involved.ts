import { z } from "#schema/z.js";

/** The most people kept as involved in one record. More are counted. */
export const MOST_INVOLVED = 100;

/** Who has asked for, changed or owned a record since its last decision. */
export const InvolvedParties = z
  .object({
    ids: z.array(z.string()).max(MOST_INVOLVED).meta({ description: "Ids of users and AI identities." }),
    beyond: z
      .int()
      .min(0)
      .meta({ description: `Changes by others, once there are ${MOST_INVOLVED}.` }),
  })
  .meta({ id: "InvolvedParties", description: "Who asked for it, changed or owned it since its last decision." });
export type InvolvedParties = z.output<typeof InvolvedParties>;

export const NONE_INVOLVED: InvolvedParties = { ids: [], beyond: 0 };

/** Those involved, with more of them. The same object when nobody is new. */
export function withInvolved(involved: InvolvedParties, more: readonly string[]): InvolvedParties {
  const fresh = [...new Set(more)].filter((id) => id !== "system" && !involved.ids.includes(id));
  if (fresh.length === 0) return involved;
  const ids = [...involved.ids, ...fresh];
  return { ids: ids.slice(0, MOST_INVOLVED), beyond: involved.beyond + Math.max(0, ids.length - MOST_INVOLVED) };
}

/** Marks the last decision of a record. */
export const RelatedParty = z.boolean().meta({ description: "Whether who decided is related to who asked." });
