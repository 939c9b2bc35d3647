import { access } from "./access/routes.js";
import { activity } from "./activity/routes.js";
import { administration } from "./administration/routes.js";
import type { Area } from "./area.js";
import { compliance } from "./compliance/routes.js";
import { estate } from "./estate/routes.js";
import { findings } from "./findings/routes.js";
import { inbox } from "./inbox/routes.js";
import { installations } from "./installations/routes.js";
import { policies } from "./policies/routes.js";
import { provider } from "./provider/routes.js";
import { stop } from "./stop/routes.js";

const ofTenants = [
  inbox,
  estate,
  stop,
  findings,
  policies,
  access,
  installations,
  compliance,
  activity,
  administration,
];

/** The areas in the order of the navigation. The provider's people have few others, and begin with their own. */
export const areas: readonly Area[] = [provider, ...ofTenants];
