/** Why a listing is not known to be whole. Nothing is concluded from absence then. */
export const INCOMPLETE = {
  full_page: "The last page was full, and the target did not say that it was the last.",
  count: "The target counts other entries than it listed.",
  cursor: "The target names a next page in another way than its protocol does.",
  link: "The target links to a next page in a way that cannot be followed.",
  repeated: "The target listed entries again.",
  changed: "The listing changed while it was read.",
  rejected: "Entries of the listing cannot be used.",
  hidden: "The target does not show everything.",
  part: "Only a part was asked for.",
  unknown: "The connector does not say why.",
} as const;
export type IncompleteReason = keyof typeof INCOMPLETE;
export const INCOMPLETE_REASONS = Object.keys(INCOMPLETE) as [IncompleteReason, ...IncompleteReason[]];
