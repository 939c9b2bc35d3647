import type { AnyRoute } from "@tanstack/react-router";
import type { common } from "../texts/en/common.js";
import type { WorkKind } from "../work/work.js";

/** A part of the console: its entry in the navigation and its pages. */
export interface Area {
  readonly name: keyof typeof common.areas;
  /** Where it begins, as `/estate`. */
  readonly path: string;
  /** Who holds any of these permissions finds it in the navigation. Empty for everybody. */
  readonly needs: readonly string[];
  /** Addresses and what they take; the pages themselves are loaded when one goes there. */
  readonly routes: readonly AnyRoute[];
  /** Kinds of long work that its pages begin. */
  readonly works?: readonly WorkKind[];
}
