import { asOwner, type HttpCase, httpCase } from "../case.js";
import type { Setting } from "../setting.js";

const ASSETS = "/api/v1/ai-assets";
const USERS = "/api/v1/users";

/** Reads that all find something. */
const reads: readonly ((setting: Setting) => string)[] = [
  () => "/api/v1/monitor/ping",
  () => "/api/v1/auth/ping",
  () => ASSETS,
  () => `${ASSETS}?size=1`,
  () => `${ASSETS}?size=1&page=1`,
  ({ assetId }) => `${ASSETS}/${assetId}`,
  ({ assetId }) => `${ASSETS}/${assetId}/effective`,
  ({ assetId }) => `${ASSETS}/${assetId}/activity`,
  ({ assetId, eventId }) => `${ASSETS}/${assetId}/activity/${eventId}`,
  ({ assetId }) => `${ASSETS}/${assetId}/lifecycle/history`,
  ({ assetId }) => `${ASSETS}/${assetId}/governance-state/history`,
  ({ assetId }) => `${ASSETS}/${assetId}/governance-findings`,
  ({ foreignId }) => `${ASSETS}/${foreignId}`,
  ({ foreignId }) => `${ASSETS}/${foreignId}/activity`,
  ({ foreignId }) => `/api/v1/ai/activity/${foreignId}`,
  () => "/api/v1/ai/activity",
  ({ assetId }) => `/api/v1/ai/activity/${assetId}`,
  () => "/api/v1/ai-governance/audit/verification",
  () => "/api/v1/ai-governance/audit/verification?after=2&limit=2",
  () => "/api/v1/ai/policies",
  () => "/api/v1/ai/policies?size=1",
  () => "/api/v1/ai/policies/pol_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
  () => USERS,
  () => `${USERS}?status=active`,
  ({ memberId }) => `${USERS}/${memberId}`,
];

/** The name of a read, with placeholders for ids. */
const nameOf = (read: (setting: Setting) => string) =>
  read({ assetId: "{id}", foreignId: "{foreign}", eventId: "{event}", memberId: "{user}" } as Setting);

type Write = readonly [name: string, method: string, path: (setting: Setting) => string, body?: object];
const asset =
  (path = "") =>
  ({ assetId }: Setting) =>
    `${ASSETS}/${assetId}${path}`;

const writes: readonly Write[] = [
  ["registers an asset", "POST", () => ASSETS, { name: "ordinary", assetType: "model", environment: "test" }],
  [
    "registers the same asset again",
    "POST",
    () => ASSETS,
    { assetType: "tool", externalRef: { source: "s", id: "one" } },
  ],
  ["changes an asset", "PUT", asset(), { description: "changed", labels: { a: "b" } }],
  ["merges metadata", "PATCH", asset("/metadata"), { metadata: { a: { b: 1 }, note: null } }],
  ["moves a lifecycle", "PATCH", asset("/lifecycle"), { status: "development" }],
  ["moves a lifecycle where it is", "PATCH", asset("/lifecycle"), { status: "registered" }],
  ["moves a lifecycle too far", "PATCH", asset("/lifecycle"), { status: "production" }],
  ["asks for a review", "PATCH", asset("/governance-state"), { status: "under_review" }],
  ["approves what it asked for", "PATCH", asset("/governance-state"), { status: "approved" }],
  ["suspends without a reason", "PATCH", asset("/governance-state"), { status: "suspended" }],
  ["changes another tenant's asset", "PUT", ({ foreignId }) => `${ASSETS}/${foreignId}`, { description: "mine now" }],
  ["deletes another tenant's asset", "DELETE", ({ foreignId }) => `${ASSETS}/${foreignId}`],
  ["deletes an asset nobody has", "DELETE", () => `${ASSETS}/ast_${"Z".repeat(26)}`],
  [
    "asks for a decision",
    "POST",
    () => "/api/v1/ai/policies/evaluate",
    {
      subject: { type: "user", id: "x" },
      action: { name: "look" },
      evaluations: [{ resource: { type: "y", id: "z" } }],
    },
  ],
  ["creates a user", "POST", () => USERS, { username: "ordinary@example.test", roles: ["member"] }],
  ["creates an owner", "POST", () => USERS, { username: "crowned@example.test", roles: ["owner"] }],
  ["renames a user", "PATCH", ({ memberId }) => `${USERS}/${memberId}`, { name: "renamed" }],
  [
    "changes a password with the wrong one",
    "POST",
    () => "/api/v1/auth/reset-password",
    { currentPassword: "not the one", newPassword: "a wholly new pass phrase" },
  ],
];

const callers = ["owner", "member", "auditor", "stranger"] as const;

export const ordinaryCases: readonly HttpCase[] = [
  ...reads.flatMap((read) =>
    callers.map((caller) =>
      httpCase(`ordinary: ${caller} reads ${nameOf(read)}`, (it) =>
        asOwner({ ...it, owner: it[caller] }, "GET", read(it)),
      ),
    ),
  ),
  ...reads.map((read) => httpCase(`ordinary: HEAD of ${nameOf(read)}`, (it) => asOwner(it, "HEAD", read(it)))),
  ...reads.map((read) =>
    httpCase(`ordinary: nobody reads ${nameOf(read)}`, (it) => ({ method: "GET", target: read(it) })),
  ),
  ...writes.flatMap(([name, method, path, body]) =>
    callers.map((caller) =>
      httpCase(`ordinary: ${caller} ${name}`, (it) => asOwner({ ...it, owner: it[caller] }, method, path(it), body)),
    ),
  ),
  ...writes.map(([name, method, path, body]) =>
    httpCase(`ordinary: nobody ${name}`, (it) => {
      const { headers = [], ...rest } = asOwner(it, method, path(it), body);
      return { ...rest, headers: headers.filter(([header]) => header !== "Authorization") };
    }),
  ),
  httpCase("ordinary: register, sign in, look around", () => [
    {
      method: "POST",
      target: "/api/v1/register",
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify({
        organization: "Newcomers",
        username: "new@newcomers.test",
        password: "quite a long pass phrase 7",
      }),
    },
    {
      method: "POST",
      target: "/api/v1/auth/signin",
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify({ username: "new@newcomers.test", password: "quite a long pass phrase 7" }),
    },
  ]),
  httpCase("ordinary: what was written is read back", (it) => [
    asOwner(it, "GET", ASSETS),
    asOwner(it, "GET", "/api/v1/ai/activity?size=100"),
    asOwner(it, "GET", USERS),
  ]),
];
