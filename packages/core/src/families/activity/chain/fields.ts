import { z } from "#schema/z.js";

/** The most events that one request verifies or exports. */
export const AT_ONCE = 10_000;

export const after = z
  .int()
  .min(0)
  .optional()
  .meta({ description: "Start after this sequence; where the chain begins when absent.", example: 0 });
export const limit = z.int().min(1).max(AT_ONCE).optional().meta({ description: "The most events of one answer." });
