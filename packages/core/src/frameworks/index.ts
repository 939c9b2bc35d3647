import { EU_AI_ACT } from "./eu-ai-act/index.js";
import { ISO_42001 } from "./iso-42001/index.js";
import { NIST_AI_RMF } from "./nist/index.js";
import { OWASP_AGENTIC } from "./owasp-agentic.js";
import type { BuiltinFramework } from "./schema.js";

export * from "./schema.js";

/** The built-in frameworks, as data. */
export const BUILTIN_FRAMEWORKS: readonly BuiltinFramework[] = [NIST_AI_RMF, EU_AI_ACT, ISO_42001, OWASP_AGENTIC];

/** A built-in framework by its key. */
export function builtinFramework(key: string): BuiltinFramework | undefined {
  return BUILTIN_FRAMEWORKS.find((framework) => framework.key === key);
}
