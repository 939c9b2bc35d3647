import { controlsOf, type Particular, type Shared } from "../control.js";

/** Chapters I and II. */
export const FIRST = "2025-02-02";
/** Chapter V, on general-purpose models. */
export const MODELS = "2025-08-02";
/** Provisions without an exception in Article 113, including sections 4 and 5 of Chapter III and Chapter IX. */
export const GENERAL = "2026-08-02";
/** The prohibitions that the amendment of July 2026 adds. */
export const ADDED = "2026-12-02";
/** Chapter III, sections 1 to 3, for systems of Annex III. */
export const HIGH_RISK = "2027-12-02";

/** An unclassified asset may be high-risk, so it counts as such here. */
export const WHERE_HIGH_RISK = "estate.riskTier.high > 0 || estate.riskTier.unclassified > 0";

export const MOVED =
  "Regulation (EU) 2024/1689 as first published named 2 August 2026. The day is that of Annex III as amended in July 2026; products of Annex I follow on 2 August 2028.";
export const CLASSIFIED_LATER =
  "The chapter applies from this day. What makes a system one of high risk applies only from 2 December 2027, so what is asked before then is not settled.";

export const highRisk = { appliesFrom: HIGH_RISK, applicability: WHERE_HIGH_RISK, note: MOVED } as const;
export const market = { appliesFrom: GENERAL, applicability: WHERE_HIGH_RISK, note: CLASSIFIED_LATER } as const;

/** Paragraphs of the regulation that share what is given first. */
export const paragraphs = (shared: Shared, lines: readonly Particular[]) =>
  controlsOf("Regulation (EU) 2024/1689, Article ", lines, shared);
