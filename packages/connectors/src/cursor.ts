import { ConnectorError } from "@reeve/core/connectors";
import type { z } from "zod";

/** A cursor that a connector has made. Rejects any other with class `invalid`. */
export function parseCursor<T>(shape: z.ZodType<T>, cursor: string): T {
  try {
    return shape.parse(JSON.parse(cursor));
  } catch {
    throw new ConnectorError("invalid", "The listing cannot go on from there.", { code: "invalid_cursor" });
  }
}
