import { celEngine } from "../cel/engine.js";
import { ESTATE_VOCABULARY } from "../families/compliance/index.js";
import { celOf, fieldsOf } from "../families/governance/index.js";

const { engine, functions, limits, environments } = celOf(celEngine({ clock: { now: () => 0 } }));

/** What expressions may read and call: by environment their fields, then functions and limits. */
export const RULE_LANGUAGE = {
  engine,
  functions: functions.map(({ signature }) => signature),
  limits,
  environments: { ...environments, compliance: fieldsOf(ESTATE_VOCABULARY) },
};

/** A field that an expression may read. */
export type RuleField = ReturnType<typeof fieldsOf>[number];
