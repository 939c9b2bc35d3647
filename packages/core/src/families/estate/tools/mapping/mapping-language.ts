import { type ValueEnvironment, valueEnvironment } from "#cel/value-engine.js";
import { defineService } from "#kernel/config/environment.js";
import type { Clock } from "#ports/clock.js";

/** Expressions over a message of MCP and the claims of the token that came with it. */
export function mappingLanguageOf(clock: Clock): ValueEnvironment {
  const params = { type: "map", description: "`params` of the message." } as const;
  const token = { type: "map", description: "Claims of the token." } as const;
  return valueEnvironment({ params, token }, clock);
}

/** The language of mappings in this control plane. */
export const mappingLanguage = defineService("estate.mappingLanguage", ({ clock }) => mappingLanguageOf(clock));
