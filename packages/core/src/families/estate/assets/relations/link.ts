import type { RELATION_TYPES } from "../asset-terms.js";

/** A relation between two assets, by their ids. */
export interface Link {
  readonly type: (typeof RELATION_TYPES)[number];
  readonly sourceId: string;
  readonly targetId: string;
}
