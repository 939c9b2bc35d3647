/** What an expression may be at most. Measured: three nested comprehensions over 300 items took six seconds. */
export const LIMITS = {
  /** UTF-8 bytes of the source. */
  sourceBytes: 4_096,
  astNodes: 400,
  depth: 32,
  listElements: 64,
  mapEntries: 64,
  callArguments: 8,
  /** Comprehensions inside one another. */
  comprehensions: 2,
  /** Items of a list or entries of a map that is read; an expression that reads a longer one has no result. */
  listItems: 256,
  /** UTF-16 units of a text that is searched by `like`. */
  likeText: 10_000,
  /** UTF-16 units of a text that `duration` reads. */
  durationText: 64,
  /** How deep lists and maps that are read stand in one another. */
  valueDepth: 12,
  /** How deep lists and maps that an expression makes stand in one another. */
  built: 3,
  /** What one evaluation may cost: a node of a comprehension's body one step each time, functions and comparisons by the size of what they are given. */
  steps: 500_000,
  /** What all rules of a policy may cost together over one asset or one request. */
  policySteps: 1_000_000,
} as const;
