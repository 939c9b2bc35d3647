import { bearer, type Header, type HttpCase, httpCase, JSON_TYPE } from "../case.js";
import type { Setting } from "../setting.js";

const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "MKCOL",
  "LOCK",
  "SEARCH",
  "PURGE",
  "REPORT",
  "M-SEARCH",
];

const paths: readonly (readonly [name: string, path: (setting: Setting) => string])[] = [
  ["the ping", () => "/api/v1/monitor/ping"],
  ["sign-in", () => "/api/v1/auth/signin"],
  ["the assets", () => "/api/v1/ai-assets"],
  ["one asset", ({ assetId }) => `/api/v1/ai-assets/${assetId}`],
  ["a lifecycle", ({ assetId }) => `/api/v1/ai-assets/${assetId}/lifecycle`],
  ["no operation", () => "/api/v1/no-such-operation"],
  ["a root route", () => "/agents/health"],
  ["the host's page", () => "/users/42"],
];

const overrides: readonly Header[] = [
  ["X-HTTP-Method-Override", "DELETE"],
  ["X-HTTP-Method", "DELETE"],
  ["X-Method-Override", "DELETE"],
];

export const methodCases: readonly HttpCase[] = [
  ...METHODS.flatMap((method) =>
    paths.map(([name, path]) =>
      httpCase(`method: ${method} of ${name}`, (it) => ({ method, target: path(it), headers: [bearer(it.owner)] })),
    ),
  ),
  ...overrides.map((header) =>
    httpCase(`method: POST with ${header[0]}`, (it) => ({
      method: "POST",
      target: `/api/v1/ai-assets/${it.assetId}`,
      headers: [bearer(it.owner), header],
    })),
  ),
  httpCase("method: GET with ?_method=DELETE", (it) => ({
    method: "GET",
    target: `/api/v1/ai-assets/${it.assetId}?_method=DELETE`,
    headers: [bearer(it.owner)],
  })),
  ...["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"].map((method) =>
    httpCase(`method: ${method} with a body`, (it) => ({
      method,
      target: `/api/v1/ai-assets/ast_${"Z".repeat(26)}`,
      headers: [bearer(it.owner), JSON_TYPE],
      body: '{"name":"a body where none is read"}',
    })),
  ),
];
