import { isDeepStrictEqual } from "node:util";
import type { ErrorCode, NeutralResponse } from "@reeve/core";
import { ERRORS, errorCodesOf, type Operation } from "@reeve/core/reference";
import { z } from "zod";

const Problem = z.looseObject({
  type: z.string().min(1),
  title: z.string().min(1),
  status: z.int().min(400).max(599),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  detail: z.string().min(1).optional(),
  remedy: z.string().min(1),
  requestId: z.string().min(1),
  retryable: z.boolean(),
  errors: z
    .array(
      z.strictObject({
        pointer: z.string().optional(),
        parameter: z.string().optional(),
        code: z.string(),
        message: z.string(),
      }),
    )
    .min(1)
    .optional(),
});

const Warnings = z.array(z.strictObject({ pointer: z.string().startsWith("/"), message: z.string().min(1) })).min(1);

/** Codes of requests that reach no operation. */
const UNMATCHED: readonly ErrorCode[] = ["route_not_found", "method_not_allowed", "invalid_encoding", "shutting_down"];

/** How an answer differs from the operation's declaration; empty when it conforms. It may hold properties in `later`. */
export function answerMistakes(
  operation: Operation | undefined,
  answer: NeutralResponse,
  head: boolean,
  later: readonly string[] = [],
): string[] {
  const mistakes = headerMistakes(answer);
  if (operation && answer.status === 304) {
    if (answer.body !== undefined || operation.method !== "GET") mistakes.push("a 304 that is not an empty GET");
    return mistakes;
  }
  if (operation?.dialect?.page && isOfBrowsers(answer)) return mistakes;
  if (operation && answer.status === operation.success.status)
    return [...mistakes, ...successMistakes(operation, answer, head, later)];
  return [...mistakes, ...refusalMistakes(operation, answer, head)];
}

/** A redirect, or a refusal that a person reads. */
function isOfBrowsers({ status, headers }: NeutralResponse): boolean {
  if (status === 303) return headers.location !== undefined;
  return status >= 400 && /^text\/(?:html|plain); charset=utf-8$/.test(headers["content-type"] ?? "");
}

function headerMistakes({ headers, status }: NeutralResponse): string[] {
  const mistakes: string[] = [];
  const expect = (name: string, value: string) => {
    if (headers[name] !== value) mistakes.push(`${name} is ${headers[name]}`);
  };
  if (!(status === 200 && headers["cache-control"]?.includes("max-age="))) expect("cache-control", "no-store");
  expect("x-content-type-options", "nosniff");
  expect("api-version", "1.0.0");
  if (!headers["x-request-id"]) mistakes.push("no x-request-id");
  if (status === 401 && !/^(?:Bearer|Basic)\b/.test(headers["www-authenticate"] ?? ""))
    mistakes.push("401 without a challenge");
  if (status === 405 && !headers.allow) mistakes.push("405 without Allow");
  if (status === 429 && !headers["retry-after"]) mistakes.push("429 without Retry-After");
  return mistakes;
}

function successMistakes(
  operation: Operation,
  answer: NeutralResponse,
  head: boolean,
  later: readonly string[],
): string[] {
  const { schema, media, also } = operation.success;
  if (head || operation.success.status === 204) return answer.body === undefined ? [] : ["a body where none may be"];
  if (!schema) return answer.body === undefined ? ["no body"] : [];
  const type = answer.headers["content-type"];
  if (also !== undefined && type === also) return bodyText(answer) === "" ? ["no text"] : [];
  if (operation.takes?.media.includes(type ?? "")) return [];
  if (type !== (media ?? "application/json; charset=utf-8")) return [`it is ${type}`];
  const { warned, value } = media === undefined ? withoutWarnings(operation, answer) : { value: bodyText(answer) };
  if (warned && !Warnings.safeParse(warned).success) return ["its warnings are not as they are declared"];
  const parsed = (schema as z.ZodType).safeParse(value);
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  return isDeepStrictEqual(parsed.data, without(later, value))
    ? []
    : ["it holds properties that the schema does not declare"];
}

/** The answer without warnings about the request body, unless its schema has them. */
function withoutWarnings({ body, success }: Operation, answer: NeutralResponse): { warned?: unknown; value: unknown } {
  const value = JSON.parse(bodyText(answer));
  if (!body || !value?.warnings || "warnings" in (success.schema?.shape ?? {})) return { value };
  const { warnings: warned, ...rest } = value;
  return { warned, value: rest };
}

function refusalMistakes(operation: Operation | undefined, answer: NeutralResponse, head: boolean): string[] {
  if (head) return answer.body === undefined ? [] : ["a body in answer to HEAD"];
  const type = answer.headers["content-type"];
  // Clients of RFC 6749 may get refusals as plain JSON.
  const plain = operation?.dialect !== undefined && type === "application/json; charset=utf-8";
  if (type !== "application/problem+json; charset=utf-8" && !plain)
    return [`status ${answer.status} is neither the declared success nor a problem: ${bodyText(answer)}`];
  const parsed = Problem.safeParse(JSON.parse(bodyText(answer)));
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  const { code, status, requestId, title, detail, remedy } = parsed.data;
  const mistakes: string[] = [];
  if (detail === title || detail === remedy) mistakes.push(`${code} says twice: ${detail}`);
  if (detail === undefined && remedy.includes("`detail`"))
    mistakes.push(`${code} has no detail, which its remedy names`);
  if (status !== answer.status) mistakes.push(`problem says ${status}, the status line ${answer.status}`);
  const published = ERRORS[code][0];
  if (published !== status && !(code === "token_missing" && status === 403))
    mistakes.push(`${code} is published as ${published}`);
  if (requestId !== answer.headers["x-request-id"]) mistakes.push("requestId differs from x-request-id");
  const documented = operation ? errorCodesOf(operation) : UNMATCHED;
  if (!documented.includes(code))
    mistakes.push(`${code} is not documented: ${parsed.data.detail ?? parsed.data.title}`);
  if (/\bat .+:\d+:\d+|node_modules|SQLITE_[A-Z]|\b(?:select|SELECT)\b.+\b(?:from|FROM)\b/.test(bodyText(answer)))
    mistakes.push("it shows something of the inside");
  return mistakes;
}

/** The value without these of its own properties. */
function without(names: readonly string[], value: unknown): unknown {
  if (names.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** The body of an answer as text. */
export function bodyText(answer: NeutralResponse): string {
  return typeof answer.body === "string" ? answer.body : new TextDecoder().decode(answer.body);
}
