import { type ErrorCode, ReeveError } from "@reeve/core";
import { ERRORS } from "@reeve/core/reference";
import { problemDocument } from "../../packages/core/src/kernel/http/errors.js";
import { code, markdownPage, type ReferencePage, table } from "./markdown.js";

/** Every error code by status. */
export function errorsPage(): ReferencePage {
  const all = (Object.keys(ERRORS) as ErrorCode[]).map((key) => ({ key, document: documentOf(key) }));
  const statuses = [...new Set(all.map(({ key }) => ERRORS[key][0]))].sort((a, b) => a - b);
  return markdownPage("errors.md", "Errors", [
    "Every refusal is an RFC 9457 problem document with `Content-Type: application/problem+json`. The `code` is the " +
      "contract: it is never reused. `detail` is for people and may change. `retryable` says whether repeating the same " +
      "request can help. What is wrong with a body or a query is listed in `errors`, each with a JSON `pointer` or the name " +
      "of the `parameter`.",
    example(),
    ...statuses.flatMap((status) => [
      `## ${status}`,
      table(
        ["Code", "Title", "What to do", "Retryable"],
        all
          .filter(({ key }) => ERRORS[key][0] === status)
          .map(({ key, document }) => [
            code(key),
            ERRORS[key][1],
            ERRORS[key][2],
            document.retryable === true ? "yes" : "",
          ]),
      ),
    ]),
  ]);
}

function documentOf(key: ErrorCode): Record<string, unknown> {
  return problemDocument(new ReeveError(key), "req_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", "urn:reeve:error:");
}

function example(): string {
  const error = new ReeveError("invalid_transition", '"production" is not possible from "registered".', {
    members: { machine: "assetLifecycle", current: "registered", allowed: ["development", "validation", "retired"] },
  });
  const document = problemDocument(error, "req_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", "urn:reeve:error:");
  return `\`\`\`json\n${JSON.stringify(document, null, 2)}\n\`\`\``;
}
