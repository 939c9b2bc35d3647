import { createHash } from "node:crypto";
import { type Answer, createPlane, type Scene } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";

/** The peer that sends everything: some send what is worthless, and others what is good. */
const remoteAddress = "198.51.100.23";
const MOST = 400;

let plane: ReturnType<typeof createPlane>;
let scene: Scene;
let refreshToken: string;
let client: { readonly client_id: string; readonly client_secret: string };
beforeEach(async () => {
  const world = await createWorld();
  scene = world.a;
  const issued = await scene.newCredential(await scene.newIdentity({ scopes: ["ai-asset:read"] }));
  client = { client_id: issued.clientId, client_secret: issued.clientSecret };
  // Limits are what they are where nobody sets them.
  plane = createPlane({ store: world.store, ids: world.ids, clock: world.clock, rateLimits: undefined });
  refreshToken = (await signIn(scene.owner)).json.refreshToken;
});

const post = (path: string, body: unknown) => plane.send("POST", `/api/v1${path}`, { body, remoteAddress });
const signIn = ({ username, password }: { readonly username: string; readonly password: string }) =>
  post("/auth/signin", { username, password });
const tokenLike = (text: number) => createHash("sha256").update(String(text)).digest("base64url");
const refresh = (refresh_token: string) => post("/auth/token", { grant_type: "refresh_token", refresh_token });
const asClient = (client_id: string, client_secret: string) =>
  post("/auth/token", { grant_type: "client_credentials", client_id, client_secret });
const get = (path: string, token?: string) => plane.send("GET", path, { remoteAddress, ...(token ? { token } : {}) });

/** Whatever is worth nothing, each as one request of many. */
const WORTHLESS: Readonly<Record<string, (at: number) => Promise<Answer>>> = {
  "bearers that are none": () => get("/api/v1/ai-assets", "x"),
  "requests without a bearer": () => get("/api/v1/ai-assets"),
  "bearers at probes": () => get("/api/v1/monitor/ping", "x"),
  "reads of what is public": () => get("/.well-known/jwks.json"),
  "sign-ins of nobody": (at) => signIn({ username: `nobody-${at}@example.test`, password: "no such pass phrase" }),
  "sign-ins with wrong passwords": () => signIn({ username: scene.actors.auditor.username, password: "a wrong one" }),
  "sign-ins of no form": () => post("/auth/signin", {}),
  "refresh tokens": (at) => refresh(`reeve_rt_${tokenLike(at)}`),
  "secrets of nobody": (at) => asClient(`idn_${at}`, "wrong"),
  "secrets of a client that is there": () => asClient(client.client_id, "wrong"),
  "links to set a password": (at) =>
    post("/auth/set-password", { token: tokenLike(at), newPassword: "a long pass phrase" }),
  "registrations of no form": () => post("/register", { organization: "" }),
  "questions about tokens": () => post("/auth/introspect", { token: "x", client_id: "idn_x", client_secret: "y" }),
};

describe("whoever sends from one address", () => {
  it.each(Object.entries(WORTHLESS))(
    "%s keeps nobody there from what is good, at the limits of nobody's choice",
    async (_what, send) => {
      const worthless = [];
      for (let at = 0; at < MOST; at += 1) worthless.push((await send(at)).status);
      // The flood itself is refused in the end, but for probes, which are not counted.
      if (!worthless.every((status) => status === 200)) expect(worthless.at(-1)).toBe(429);
      const good = {
        signIn: (await signIn(scene.owner)).status,
        refresh: (await refresh(refreshToken)).status,
        client: (await asClient(client.client_id, client.client_secret)).status,
        read: (await get("/api/v1/ai-assets", scene.owner.token)).status,
        monitor: (await get("/api/v1/monitor/ping")).status,
        auth: (await get("/api/v1/auth/ping")).status,
        cache: (await get("/cache/health")).status,
        agents: (await get("/agents/health")).status,
      };
      expect(good).toEqual({
        signIn: 200,
        refresh: 200,
        client: 200,
        read: 200,
        monitor: 200,
        auth: 200,
        cache: 200,
        agents: 200,
      });
    },
  );
});
