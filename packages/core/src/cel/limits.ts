/** Limits of expressions. By measurement, three nested comprehensions over 300 items took six seconds. */
export const LIMITS = {
  /** UTF-8 bytes of the source. */
  sourceBytes: 4_096,
  astNodes: 400,
  depth: 32,
  listElements: 64,
  mapEntries: 64,
  callArguments: 8,
  /** Levels of nested comprehensions. */
  comprehensions: 2,
  /** Items of a list or entries of a map. Reading a longer one gives no result. */
  listItems: 256,
  /** UTF-16 units of a text that is searched by `like`. */
  likeText: 10_000,
  /** UTF-16 units of a text that `duration` reads. */
  durationText: 64,
  /** Levels of nested lists and maps in a value. */
  valueDepth: 12,
  /** Levels of nested lists and maps that an expression builds. */
  built: 3,
  /**
   * Cost of one evaluation: one step per node of a comprehension's body and item, plus the cost of functions and
   * comparisons by their operands.
   */
  steps: 500_000,
  /** Cost of all rules of a policy together, for one asset or request. */
  policySteps: 1_000_000,
  /** Cost of all policies in force together, for one asset or request. */
  questionSteps: 3_000_000,
  /** Cost of all policies together that are only observed, for one asset or request. */
  observedSteps: 1_000_000,
  /** Cost of all policies together, for all requests that are asked at once. */
  batchSteps: 12_000_000,
  /** Cost of all tests of a policy together. */
  testSteps: 8_000_000,
  /** Cost of asking a rule, whatever it says, beside what its expressions cost. */
  ruleSteps: 40,
  /** UTF-8 bytes of all expressions of a policy together. */
  policyBytes: 65_536,
} as const;
