import { CHECKED_ON } from "../control.js";
import type { BuiltinFramework } from "../schema.js";
import { GOVERN } from "./govern.js";
import { MANAGE } from "./manage.js";
import { MAP } from "./map.js";
import { MEASURE } from "./measure.js";

/** The AI Risk Management Framework of the United States: all 72 subcategories of its core. */
export const NIST_AI_RMF: BuiltinFramework = {
  key: "nist-ai-rmf-1.0",
  version: 3,
  name: "NIST AI Risk Management Framework",
  publisher: "National Institute of Standards and Technology",
  edition: "1.0",
  sourceUrl: "https://doi.org/10.6028/NIST.AI.100-1",
  source:
    "NIST AI 100-1, Artificial Intelligence Risk Management Framework (AI RMF 1.0), January 2023. Titles and guidance are ours.",
  checkedOn: CHECKED_ON,
  terms: "A work of the United States government, in the public domain.",
  controls: [...GOVERN, ...MAP, ...MEASURE, ...MANAGE],
};
