import type { Deprecation } from "../operation/operation.js";
import type { Answer } from "./encode.js";

/** The request's path parameters and mount prefix. */
interface Place {
  readonly params: Readonly<Record<string, string>>;
  readonly mountPath: string;
}

/** Adds `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the successor. Other links stay. */
export function withDeprecation(
  answer: Answer,
  { since, sunset, successor }: Deprecation,
  { params, mountPath }: Place,
): Answer {
  const path = successor.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const link = `<${mountPath}${path}>; rel="successor-version"`;
  const headers = {
    ...answer.headers,
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
    link: answer.headers.link === undefined ? link : `${answer.headers.link}, ${link}`,
  };
  return { ...answer, headers };
}
