import { CHECKED_ON } from "../control.js";
import type { BuiltinFramework } from "../schema.js";
import { ANNEX_A } from "./annex-a.js";
import { CLAUSES } from "./clauses.js";

/** The management system standard for AI: numbers of its clauses and controls, with our own titles. */
export const ISO_42001: BuiltinFramework = {
  key: "iso-42001-2023",
  version: 3,
  name: "ISO/IEC 42001",
  publisher: "ISO and IEC",
  edition: "2023",
  sourceUrl: "https://www.iso.org/standard/81230.html",
  source:
    "Numbers of clauses 4 to 10 and of the 38 controls in Annex A of ISO/IEC 42001:2023. Titles and guidance are ours and replace no reading of the standard.",
  checkedOn: CHECKED_ON,
  terms: "The text of the standard is the copyright of ISO; none of it is here.",
  controls: [...CLAUSES, ...ANNEX_A],
};
