import type { Mutant } from "../mutant.js";
import { activity } from "./activity.js";
import { budgets } from "./budgets.js";
import { certifications } from "./certifications.js";
import { connectors } from "./connectors.js";
import { decisions } from "./decisions.js";
import { estate } from "./estate.js";
import { evaluations } from "./evaluations.js";
import { identity } from "./identity.js";
import { kernel } from "./kernel.js";
import { published } from "./published.js";
import { relations } from "./relations.js";
import { sessionGuard } from "./session-guard.js";
import { signOn } from "./sign-on.js";
import { stores } from "./stores.js";
import { texts } from "./texts.js";
import { times } from "./times.js";
import { unknown } from "./unknown.js";
import { upgrades } from "./upgrades.js";

/** Mistakes that tests once missed, by area. */
export const mutants: readonly Mutant[] = [
  ...kernel,
  ...budgets,
  ...activity,
  ...identity,
  ...estate,
  ...evaluations,
  ...decisions,
  ...connectors,
  ...certifications,
  ...relations,
  ...published,
  ...sessionGuard,
  ...signOn,
  ...stores,
  ...texts,
  ...times,
  ...unknown,
  ...upgrades,
];
