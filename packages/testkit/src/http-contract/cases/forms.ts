import { type Header, type HttpCase, httpCase } from "../case.js";

const FORM: Header = ["Content-Type", "application/x-www-form-urlencoded"];

const form = (name: string, body: string, headers: readonly Header[] = []): HttpCase =>
  httpCase(`a form: ${name}`, () => ({
    method: "POST",
    target: "/api/v1/auth/token",
    headers: [FORM, ...headers],
    body,
  }));

const grants: readonly [name: string, body: string, ...headers: Header[]][] = [
  ["nothing", ""],
  ["only separators", "&&&"],
  ["a grant that nobody knows", "grant_type=password&username=a&password=b"],
  ["no grant", "scope=a"],
  ["an empty grant", "grant_type="],
  ["a name without a value", "grant_type"],
  ["a grant sent twice", "grant_type=refresh_token&grant_type=refresh_token"],
  ["a name sent twice, once encoded", "grant_type=refresh_token&grant%5ftype=refresh_token"],
  ["a refresh token that is none", "grant_type=refresh_token&refresh_token=x"],
  ["a refresh token of the right shape", `grant_type=refresh_token&refresh_token=reeve_rt_${"a".repeat(43)}`],
  ["plus signs for spaces", "grant_type=refresh_token&refresh_token=a+b%20c"],
  ["a broken escape", "grant_type=%zz"],
  ["half an escape", "grant_type=refresh_token&x=%e"],
  ["invalid UTF-8 in escapes", "grant_type=%ff%fe"],
  ["invalid UTF-8 in bytes", "grant_type=\u00ff"],
  ["a NUL", "grant_type=refresh_token%00"],
  ["a byte order mark", "\u00ef\u00bb\u00bfgrant_type=refresh_token"],
  ["__proto__", "__proto__=1&grant_type=refresh_token"],
  ["constructor", "grant_type=refresh_token&constructor=1"],
  ["brackets", "grant_type[]=refresh_token"],
  ["a hundred and one parameters", Array.from({ length: 101 }, (_, index) => `p${index}=1`).join("&")],
  ["JSON under the name of a form", '{"grant_type":"refresh_token"}'],
  ["a very long value", `grant_type=${"a".repeat(10_000)}`],
  ["257 KiB", `grant_type=${"a".repeat(257 * 1024)}`],
  ["tenant hints", "grant_type=refresh_token&tenantId=x&refresh_token=y"],
  ["Accept: application/json", "grant_type=nothing", ["Accept", "application/json"]],
  ["Accept: both types", "grant_type=nothing", ["Accept", "application/problem+json, application/json"]],
  ["two Authorization headers", "grant_type=nothing", ["Authorization", "Basic YTpi"], ["Authorization", "Basic YTpi"]],
];

const types = [
  "application/x-www-form-urlencoded; charset=utf-8",
  "application/x-www-form-urlencoded; charset=iso-8859-1",
  "Application/X-WWW-Form-Urlencoded",
  "multipart/form-data; boundary=x",
];

export const formCases: readonly HttpCase[] = [
  ...grants.map(([name, body, ...headers]) => form(name, body, headers)),
  ...types.map((type) =>
    httpCase(`a form: ${type}`, () => ({
      method: "POST",
      target: "/api/v1/auth/token",
      headers: [["Content-Type", type]],
      body: "grant_type=refresh_token",
    })),
  ),
  ...["/api/v1/auth/revoke", "/api/v1/auth/introspect", "/api/v1/auth/signin", "/api/v1/auth/signout"].map((target) =>
    httpCase(`a form: to ${target}`, ({ owner }) => ({
      method: "POST",
      target,
      headers: [FORM],
      body: `token=${owner}`,
    })),
  ),
];
