import type { Area } from "./area.js";
import { inbox } from "./inbox/routes.js";

/** The areas in the order of the navigation. */
export const areas: readonly Area[] = [inbox];
