import { Page, Raw } from "../kernel/outcome.js";
import { Row } from "../store/row.js";

/** What a caller in process gets: values instead of texts. */
export function plainResult(result: unknown): unknown {
  if (result instanceof Row) return result.value;
  if (result instanceof Page) return JSON.parse(result.text);
  if (!(result instanceof Raw)) return result;
  return result.contentType === "application/json" && typeof result.body === "string"
    ? JSON.parse(result.body)
    : result.body;
}
