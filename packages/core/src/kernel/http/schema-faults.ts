import type { z } from "zod";
import type { FieldError } from "./errors.js";
import { jsonPointer } from "./json-pointer.js";

/** The faults that a schema finds in a body, each with its pointer. */
export function schemaFaults(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue): FieldError[] => {
    const code = "invalid_request";
    if (issue.code !== "unrecognized_keys") return [{ pointer: jsonPointer(issue.path), code, message: issue.message }];
    return issue.keys.map((key) => ({
      pointer: jsonPointer([...issue.path, key]),
      code,
      message: "Unknown property.",
    }));
  });
}
