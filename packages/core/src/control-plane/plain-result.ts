import { Page, Raw } from "../kernel/records/outcome.js";
import { Row } from "../store/row.js";

/** A result for a caller in process: values instead of texts. */
export function plainResult(result: unknown): unknown {
  if (Row.is(result)) return result.value;
  if (Page.is(result)) return JSON.parse(result.text);
  if (!Raw.is(result)) return result;
  return result.contentType === "application/json" && typeof result.body === "string"
    ? JSON.parse(result.body)
    : result.body;
}
