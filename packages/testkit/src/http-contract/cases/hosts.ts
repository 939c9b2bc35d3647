import { bearer, type Header, type HttpCase, httpCase, JSON_TYPE, type RawRequest } from "../case.js";
import type { Setting } from "../setting.js";

const ASSETS = "/api/v1/ai-assets";
const DOMAIN = "/api/v1/tenant/domain";

const signIn = ({ ownerCredentials }: Setting, host: string): RawRequest => ({
  method: "POST",
  target: "/api/v1/auth/signin",
  headers: [["Host", host], JSON_TYPE],
  body: JSON.stringify(ownerCredentials),
});
const register = (host: string): RawRequest => ({
  method: "POST",
  target: "/api/v1/register",
  headers: [["Host", host], JSON_TYPE],
  body: JSON.stringify({
    organization: "Hosted",
    username: "hosted@example.test",
    password: "quite a long pass phrase 7",
  }),
});

const hosts: readonly (readonly [name: string, make: (setting: Setting) => readonly Header[]])[] = [
  ["of the tenant", ({ host }) => [["Host", host]]],
  ["of the tenant, in capitals", ({ host }) => [["Host", host.toUpperCase()]]],
  ["of another tenant", ({ foreignHost }) => [["Host", foreignHost]]],
  ["of another tenant, in capitals", ({ foreignHost }) => [["Host", foreignHost.toUpperCase()]]],
  ["of another tenant, with a port", ({ foreignHost }) => [["Host", `${foreignHost}:8443`]]],
  ["of another tenant, with a trailing dot", ({ foreignHost }) => [["Host", `${foreignHost}.`]]],
  ["of the platform", () => [["Host", "reeve.example"]]],
  ["that is unknown", () => [["Host", "unknown.example.com"]]],
  ["that is an address", () => [["Host", "[::1]:80"]]],
  ["that is empty", () => [["Host", ""]]],
  [
    "of another tenant, as a proxy would write it",
    ({ foreignHost }) => [
      ["X-Forwarded-Host", foreignHost],
      ["Forwarded", `host=${foreignHost}`],
    ],
  ],
  [
    "sent twice",
    ({ host, foreignHost }) => [
      ["Host", host],
      ["Host", foreignHost],
    ],
  ],
];

/** The control plane sees the host that a request was sent to, wherever it is mounted. */
export const hostCases: readonly HttpCase[] = [
  ...hosts.map(([name, make]) =>
    httpCase(`Host: one ${name}`, (it) => [
      { method: "GET", target: ASSETS, headers: [...make(it), bearer(it.owner)] },
      {
        method: "POST",
        target: ASSETS,
        headers: [...make(it), bearer(it.owner), JSON_TYPE],
        body: JSON.stringify({ name: `at a host ${name}` }),
      },
      { method: "GET", target: DOMAIN, headers: [...make(it), bearer(it.owner)] },
      { method: "GET", target: "/api/v1/monitor/ping", headers: [...make(it)] },
    ]),
  ),
  httpCase("Host: signing in at one's own", (it) => signIn(it, it.host)),
  httpCase("Host: signing in at another tenant's", (it) => signIn(it, it.foreignHost)),
  httpCase("Host: signing in at an unknown one", (it) => signIn(it, "unknown.example.com")),
  httpCase("Host: registering at a tenant's", (it) => register(it.host)),
  httpCase("Host: registering at the platform's", () => register("reeve.example")),
];

/** Claims, reads and releases an alias, and changes the subdomain. */
export const domainCases: readonly HttpCase[] = [
  httpCase("the tenant's domain: read, claimed, checked, released", (it) => {
    const put = (body: object): RawRequest => ({
      method: "PUT",
      target: `${DOMAIN}/alias`,
      headers: [bearer(it.owner), JSON_TYPE],
      body: JSON.stringify(body),
    });
    return [
      { method: "GET", target: DOMAIN, headers: [bearer(it.owner)] },
      put({ name: "ai.example.com" }),
      put({ configuration: { domain: "AI.example.com" } }),
      put({}),
      put({ name: "co.uk" }),
      put({ name: "ai.example.com", status: "active" }),
      { method: "GET", target: `${DOMAIN}?page=0&size=10`, headers: [bearer(it.auditor)] },
      { method: "PUT", target: `${DOMAIN}/alias`, headers: [bearer(it.member), JSON_TYPE], body: "{}" },
      { method: "DELETE", target: `${DOMAIN}/alias`, headers: [bearer(it.owner)] },
      { method: "DELETE", target: `${DOMAIN}/alias`, headers: [bearer(it.owner)] },
    ];
  }),
  httpCase("the tenant's domain: another subdomain", (it) => {
    const patch = (subdomain: string): RawRequest => ({
      method: "PATCH",
      target: DOMAIN,
      headers: [bearer(it.stranger), JSON_TYPE],
      body: JSON.stringify({ subdomain }),
    });
    return [patch("elsewhere-renamed"), patch("provider"), patch("-"), patch(it.host.split(".")[0] as string)];
  }),
];
