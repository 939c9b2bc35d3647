/** The results of an assessment. */
export const RESULTS = {
  not_assessed: "Nobody has said how the control stands, or what was said rested on evidence that is gone.",
  compliant: "The control is met; one person has assessed it and another has attested that.",
  partial: "The control is met in part.",
  non_compliant: "The control is not met.",
  not_applicable: "The control is about nothing here.",
  exempted: "The control is not met, and that is accepted.",
} as const;
export type ComplianceStatus = keyof typeof RESULTS;

/** The progress of an assessment. */
export const WORKFLOW = {
  to_do: "Nobody works on it.",
  in_progress: "Somebody gathers evidence and assesses it.",
  in_review: "Somebody else is to look at the assessment.",
  done: "There is nothing to do before the next review.",
} as const;

/** The names of states as the tuple that `z.enum` needs. */
export function namesOf<S extends string>(states: Readonly<Record<S, string>>): [S, ...S[]] {
  return Object.keys(states) as [S, ...S[]];
}
