import { access } from "./access/routes.js";
import { activity } from "./activity/routes.js";
import { administration } from "./administration/routes.js";
import type { Area } from "./area.js";
import { compliance } from "./compliance/routes.js";
import { estate } from "./estate/routes.js";
import { findings } from "./findings/routes.js";
import { inbox } from "./inbox/routes.js";
import { policies } from "./policies/routes.js";
import { stop } from "./stop/routes.js";

/** The areas in the order of the navigation. */
export const areas: readonly Area[] = [
  inbox,
  estate,
  stop,
  findings,
  policies,
  access,
  compliance,
  activity,
  administration,
];
