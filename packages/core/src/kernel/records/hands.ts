import { z } from "#schema/z.js";

/** The most people kept as the hands of one record. More are counted. */
export const MOST_HANDS = 100;

/** Who has asked for, changed or owned a record since its last decision. */
export const Hands = z
  .object({
    ids: z.array(z.string()).max(MOST_HANDS).meta({ description: "Ids of users and AI identities." }),
    beyond: z
      .int()
      .min(0)
      .meta({ description: `Changes by others, once there are ${MOST_HANDS}.` }),
  })
  .meta({ id: "Hands", description: "Who asked for it, changed or owned it since its last decision." });
export type Hands = z.output<typeof Hands>;

export const NO_HANDS: Hands = { ids: [], beyond: 0 };

/** The hands with more of them. The same object when nobody is new. */
export function withHands(hands: Hands, more: readonly string[]): Hands {
  const fresh = [...new Set(more)].filter((id) => id !== "system" && !hands.ids.includes(id));
  if (fresh.length === 0) return hands;
  const ids = [...hands.ids, ...fresh];
  return { ids: ids.slice(0, MOST_HANDS), beyond: hands.beyond + Math.max(0, ids.length - MOST_HANDS) };
}

/** Marks the last decision of a record. */
export const RelatedParty = z.boolean().meta({ description: "Whether who decided is related to who asked." });
