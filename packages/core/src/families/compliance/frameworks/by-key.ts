import { z } from "#schema/z.js";

/** The path parameter of a framework. */
export const ByKey = z.object({
  key: z.string().max(64).meta({ description: "Key of the framework.", example: "nist-ai-rmf-1.0" }),
});
