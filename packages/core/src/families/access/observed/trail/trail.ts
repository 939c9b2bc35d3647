import { z } from "zod";
import type { Trail } from "../../../../connectors/index.js";

/** The way through a listing that is read in several steps, so that all of them together see whether it ends. */
export const StoredTrail = z.object({
  pages: z.int(),
  items: z.int(),
  bytes: z.int(),
  mark: z.string().nullable(),
}) satisfies z.ZodType<Trail>;
