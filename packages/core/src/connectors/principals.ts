import type { Principal, PrincipalType } from "./observed.js";

/** A principal as somebody names it. */
export interface PrincipalQuery {
  readonly type: PrincipalType;
  /** Its id in the target, or its name there. An id counts before a name. */
  readonly named: string;
}

/** What a target says of a principal that somebody names. */
export type PrincipalLookup =
  | {
      readonly outcome: "found";
      /** With the id that it keeps when it is renamed, and its name now. */
      readonly principal: Principal;
    }
  | {
      /** `absent`: the target has answered, and shows others. `ambiguous`: several have this name. */
      readonly outcome: "absent" | "ambiguous";
      /** Principals that may be meant; the first 200 count. */
      readonly candidates: readonly Principal[];
    }
  /** The target has answered, and does not tell whether there is such a principal. */
  | { readonly outcome: "unknown" };
