import { CHECKED_ON } from "../control.js";
import type { BuiltinFramework } from "../schema.js";
import { MARKET } from "./market.js";
import { GENERAL_PURPOSE } from "./models.js";
import { OPERATORS } from "./operators.js";
import { PROVIDERS } from "./providers.js";
import { REQUIREMENTS } from "./requirements.js";
import { SCOPE } from "./scope.js";

/** The European regulation on artificial intelligence, as amended in July 2026, by paragraph. */
export const EU_AI_ACT: BuiltinFramework = {
  key: "eu-ai-act-2024-1689",
  version: 3,
  name: "EU Artificial Intelligence Act",
  publisher: "European Union",
  edition: "Regulation (EU) 2024/1689 as amended by Regulation (EU) 2026/1744",
  sourceUrl: "https://eur-lex.europa.eu/eli/reg/2024/1689/oj",
  source:
    "Article 113 as amended by Article 1, point 40, of Regulation (EU) 2026/1744 (Digital Omnibus on AI; OJ L, 24.7.2026, in force 27.7.2026). Dates are from the wording of the " +
    "consolidated text of 27.7.2026 as several independent public copies quote it, which agree; the Official Journal itself was not at hand. The Regulation applies from 2 August 2026, but: " +
    "Chapters I and II (here Articles 4 and 5) from 2 February 2025, two prohibitions in Article 5 from 2 December 2026; Chapter III sections 1 to 3 (here Articles 6 to 27) " +
    "from 2 December 2027 for Annex III and from 2 August 2028 for Annex I, of which the earlier day is given; Chapter V (here Articles 53 to 55) from 2 August 2025. Article 50 keeps the general date. " +
    "So do Articles 43 and 47 to 49, which stand in section 5 of Chapter III, and Articles 72 and 73: they stand in Chapter IX, which no exception names, as Article 86 does. What makes a system one of high " +
    "risk (Article 6) applies only from 2 December 2027, so what these ask of anybody before then is not settled; the day of the text is given, with a note. Paragraphs that bind only authorities or the " +
    "Commission are left out, as are the points of Article 16 that only refer to other articles. Titles and guidance are ours.",
  checkedOn: CHECKED_ON,
  terms: "© European Union; legal texts may be reused with acknowledgement (Decision 2011/833/EU).",
  controls: [...SCOPE, ...REQUIREMENTS, ...PROVIDERS, ...OPERATORS, ...MARKET, ...GENERAL_PURPOSE],
};
