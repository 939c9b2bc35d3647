/** What one can say about an item alone. */
export const DECISIONS = ["certify", "revoke", "modify", "abstain"] as const;
export type Decision = (typeof DECISIONS)[number];

/** The keys that act on the row that has the focus. */
export const KEYS = { certify: "k", revoke: "r", modify: "s", abstain: "a", choose: "x", bulk: "b" } as const;
