import euAiAct from "./eu-ai-act-2024-1689.json" with { type: "json" };
import iso42001 from "./iso-42001-2023.json" with { type: "json" };
import nistAiRmf from "./nist-ai-rmf-1.0.json" with { type: "json" };
import owaspAgentic from "./owasp-agentic-2026.json" with { type: "json" };
import { type FrameworkFile, frameworkOf } from "./spread-groups.js";

/** The built-in frameworks, in the order of lists. A test holds the files against `FrameworkFields`. */
export const FRAMEWORKS = ([nistAiRmf, euAiAct, iso42001, owaspAgentic] as FrameworkFile[]).map(frameworkOf);
