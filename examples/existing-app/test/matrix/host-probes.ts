import { Agent } from "node:http";
import { BODY_LIMIT, ORIGIN } from "../../src/host.js";
import { type Answered, ask, json, type Probe } from "./ask.js";

const gzip = { "accept-encoding": "gzip" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const preflight = { origin: ORIGIN, "access-control-request-method": "POST" };

/** Some hosts close the connection during such a body, so it is not reused. */
const TOO_LARGE: Probe = {
  method: "POST",
  path: "/api/v1/orders",
  headers: { "content-type": "application/json", connection: "close" },
  body: JSON.stringify({ item: "x".repeat(BODY_LIMIT) }),
};

/** The requests to the host, in this order, with and without Reeve. */
const PROBES: readonly Probe[] = [
  { method: "GET", path: "/" },
  { method: "HEAD", path: "/" },
  { method: "GET", path: "/assets/shop.js" },
  { method: "GET", path: "/assets/shop.js", headers: gzip },
  { method: "GET", path: "/assets/missing.js" },
  { method: "GET", path: "/orders/7/edit?tab=2" },
  { method: "GET", path: "/governance" },
  { method: "GET", path: "/governance/settings" },
  { method: "POST", path: "/nowhere", ...json({}) },
  { method: "GET", path: "/api/v1/orders" },
  { method: "GET", path: "/api/v1/orders", headers: { ...gzip, origin: ORIGIN } },
  { method: "GET", path: "/api/v1/orders?status=open" },
  { method: "HEAD", path: "/api/v1/orders/1" },
  { method: "OPTIONS", path: "/api/v1/orders", headers: preflight },
  { method: "OPTIONS", path: "/governance/api/v1/ai-assets", headers: preflight },
  { method: "GET", path: "/api/v1/orders/1" },
  { method: "GET", path: "/api/v1/orders/1/events" },
  { method: "GET", path: "/api/v1/orders/999" },
  { method: "GET", path: "/api/v1/orders/%zz" },
  { method: "GET", path: "/api/v1/nothing" },
  { method: "PUT", path: "/api/v1/orders", ...json({}) },
  { method: "DELETE", path: "/api/v1/ai-assets" },
  { method: "POST", path: "/api/v1/orders", ...json({ item: "café 😀" }) },
  { method: "POST", path: "/api/v1/orders", headers: form, body: "item=green+tea" },
  { method: "POST", path: "/api/v1/orders", ...json({}) },
  { method: "POST", path: "/api/v1/orders", headers: { "content-type": "application/json" }, body: "{" },
  TOO_LARGE,
  { method: "GET", path: "/api/v1/orders/41/events" },
  { method: "GET", path: "/api/session" },
  { method: "POST", path: "/api/session", ...json({ login: "nobody" }) },
  { method: "GET", path: "/api/failure" },
  { method: "GET", path: "/api/openapi.json" },
];

const OF_USERS: readonly Probe[] = [
  { method: "GET", path: "/api/v1/users" },
  { method: "GET", path: "/api/v1/users/2" },
  { method: "GET", path: "/api/v1/users/999" },
  { method: "GET", path: "/api/v1/ai-assets" },
  { method: "GET", path: "/api/v1/monitor/ping" },
];

/** All answers of the host, by request. */
export async function hostAnswers(base: string, withUsers: boolean): Promise<Record<string, Answered>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Record<string, Answered> = {};
  for (const [at, probe] of [...PROBES, ...(withUsers ? OF_USERS : [])].entries()) {
    answers[`${at} ${probe.method} ${probe.path}`] = await ask(base, probe, agent);
  }
  const signedIn = await ask(base, { method: "POST", path: "/api/session", ...json({ login: "nina" }) }, agent);
  answers["a sign-in"] = withoutSession(signedIn);
  const [cookie = ""] = signedIn.headers["set-cookie"] as string[];
  const [pair = ""] = cookie.split(";");
  const visit = { method: "GET", path: "/api/session", headers: { cookie: pair } };
  answers["a visitor who has signed in"] = withoutSession(await ask(base, visit, agent));
  agent.destroy();
  return answers;
}

/** The secret in a session cookie differs every time. */
function withoutSession({ headers, ...rest }: Answered): Answered {
  const cookies = headers["set-cookie"] as readonly string[] | undefined;
  if (!cookies) return { headers, ...rest };
  return { ...rest, headers: { ...headers, "set-cookie": cookies.map((cookie) => cookie.replace(/=[^;]+/, "=…")) } };
}
