import { deflateRawSync } from "node:zlib";
import type { SamlKey, SamlMessage } from "@reeve/core";
import { samlEngine } from "@reeve/saml";
import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";

const PATH = "/api/v1/saml-apps/create";
const engine = samlEngine();
const YEAR = 365;

let provider: Promise<SamlKey> | undefined;

/** The key of the service providers of this process, made at first use. */
export function providerKey(): Promise<SamlKey> {
  provider ??= engine.newKey("sp", Date.parse("2026-01-01T00:00:00Z"), 10 * YEAR);
  return provider;
}

/** The body of an application with the tenant's sentinel in every text. */
export function appBody(scene: Scene) {
  const text = scene.unique();
  return {
    name: text,
    description: text,
    category: text,
    entityId: `https://${text}.example/metadata`,
    acsUrls: [`https://${text}.example/acs`],
    sloUrl: `https://${text}.example/slo`,
    sloBinding: "post",
    attributeMapping: [{ name: "mail", source: "username" }],
    metadata: { note: text },
    attributes: { note: text },
  };
}

/** An application as a test needs it. */
export interface NewApp {
  readonly id: string;
  readonly entityId: string;
}

/** Registers an application, by default one in use that is assigned to everyone. */
export async function newApp(
  scene: Scene,
  { assigned = true, ...more }: { readonly assigned?: boolean } & Readonly<Record<string, unknown>> = {},
  as: Actor = scene.owner,
): Promise<NewApp> {
  const { token } = as;
  const body = { ...appBody(scene), status: "active", ...more };
  const created = await scene.send("POST", PATH, { token, body });
  if (created.status !== 200) throw new Error(created.text);
  const { id, entityId } = created.json;
  const path = `/api/v1/saml-apps/${id}/assignments`;
  if (assigned) await scene.send("POST", path, { token, body: { subjectType: "everyone" } });
  return { id, entityId };
}

/** Begins a sign-on of somebody. Returns the parameters of its address. */
export async function newLaunch(scene: Scene, caller: Actor = scene.owner, app?: NewApp) {
  const { id } = app ?? (await newApp(scene));
  const { json, text } = await scene.send("POST", `/api/v1/saml-apps/${id}/launch`, { token: caller.token });
  if (!json.nonce) throw new Error(text);
  return { nonce: json.nonce as string, app_instance_id: id };
}

/** Somebody who has signed on: the session, as the application was told. */
export async function newSignOn(scene: Scene, caller: Actor, app: NewApp): Promise<{ readonly sessionIndex: string }> {
  const { nonce } = await newLaunch(scene, caller, app);
  const answer = await scene.send("GET", `/${nonce}/${app.id}`, { token: caller.token });
  if (answer.status !== 200) throw new Error(answer.text);
  return { sessionIndex: answer.json.sessionIndex };
}

/** Parameters of a sign-on that nobody has begun. */
const NOWHERE = { nonce: "x".repeat(43), app_instance_id: `sapp_${"0".repeat(26)}` };

let messages = 0;

/** A request to sign on that no other call returns, unsigned, as base64 of its document. */
export function authnRequest(scene: Scene, app: Pick<NewApp, "entityId">, more = ""): string {
  messages += 1;
  const at = new Date(scene.clock.now()).toISOString();
  return Buffer.from(
    `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_m${messages}" Version="2.0" IssueInstant="${at}"${more}><saml:Issuer>${app.entityId}</saml:Issuer></samlp:AuthnRequest>`,
  ).toString("base64");
}

/** A signed message of a logout, as it arrives. */
export async function logoutMessage(
  scene: Scene,
  app: Pick<NewApp, "entityId">,
  {
    sessionIndex,
    binding = "redirect",
    nameId = scene.owner.username,
    destination = "slo",
    key,
  }: {
    readonly sessionIndex: string;
    readonly binding?: "redirect" | "post";
    readonly nameId?: string;
    readonly destination?: string;
    readonly key?: SamlKey;
  },
): Promise<SamlMessage> {
  messages += 1;
  const url = `https://reeve.example/saml/${destination}?tenant=${scene.tenantId}`;
  const issuer = { entityId: app.entityId, ssoUrl: "", sloUrl: "" };
  const signer = key ?? (await providerKey());
  const base = { issuer, signer, id: `_m${messages}`, now: scene.clock.now(), relayState: null };
  const subject = { nameId, nameIdFormat: "email", sessionIndex } as const;
  const out = await engine.writeLogoutRequest({ ...base, destination: url, binding }, subject);
  return out.binding === "redirect"
    ? { binding: "redirect", query: out.url.slice(out.url.indexOf("?") + 1) }
    : { binding: "post", fields: out.fields };
}

/** What an application answers to a logout that it was asked for from server to server: an envelope of SOAP. */
export async function soapAnswer(
  scene: Scene,
  app: Pick<NewApp, "entityId">,
  inResponseTo: string,
  {
    status = "Success",
    key,
    sentAt = scene.clock.now(),
  }: { readonly status?: "Success" | "Requester"; readonly key?: SamlKey; readonly sentAt?: number } = {},
): Promise<string> {
  messages += 1;
  const issuer = { entityId: app.entityId, ssoUrl: "", sloUrl: "" };
  const destination = `https://reeve.example/saml/slo?tenant=${scene.tenantId}`;
  const base = { issuer, signer: key ?? (await providerKey()), id: `_m${messages}`, now: sentAt, relayState: null };
  const out = await engine.writeLogoutResponse({ ...base, destination, binding: "post" }, { inResponseTo, status });
  const document = out.binding === "post" ? Buffer.from(out.fields.SAMLResponse ?? "", "base64").toString() : "";
  return `<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>${document}</S:Body></S:Envelope>`;
}

const deflated = (document: string) => deflateRawSync(Buffer.from(document, "base64")).toString("base64");

/** What the sample of a message sends, by its tenant. */
const sent = new WeakMap<Scene, { query: Readonly<Record<string, string>>; body: object }>();
const sentBy = (scene: Scene) => sent.get(scene) ?? { query: {}, body: {} };

async function aLogout(scene: Scene, binding: "redirect" | "post") {
  const { certificate } = await providerKey();
  const app = await newApp(scene, { certificates: [certificate] });
  const message = await logoutMessage(scene, app, { ...(await newSignOn(scene, scene.owner, app)), binding });
  sent.set(scene, {
    query:
      message.binding === "redirect"
        ? Object.fromEntries(new URLSearchParams(message.query))
        : { tenant: scene.tenantId },
    body: message.binding === "post" ? message.fields : {},
  });
  return {};
}

const anApp = async (scene: Scene) => ({ appInstanceId: (await newApp(scene)).id });
const anApplication = async (scene: Scene) => ({ id: (await newApp(scene)).id });
const anAssignment = async (scene: Scene) => {
  const { appInstanceId } = await anApp(scene);
  const path = `/api/v1/saml-apps/${appInstanceId}/assignments`;
  const { json } = await scene.send("GET", path, { token: scene.owner.token });
  return { appInstanceId, assignmentId: json.items[0].id as string };
};
const aKey = async (scene: Scene) => {
  const { token } = scene.owner;
  const { json } = await scene.send("GET", "/api/v1/saml-keys", { token });
  const next = json.items.find(({ status }: { status: string }) => status === "next");
  const { id } = next ?? (await scene.send("POST", "/api/v1/saml-keys", { token })).json;
  return { keyId: id as string };
};
const noNextKey = async (scene: Scene) => {
  const { json } = await scene.send("GET", "/api/v1/saml-keys", { token: scene.owner.token });
  const next = json.items.find(({ status }: { status: string }) => status === "next");
  if (next) await scene.send("POST", `/api/v1/saml-keys/${next.id}/activate`, { token: scene.owner.token });
  return {};
};
const pick = async (scene: Scene) => {
  const { id, entityId } = await newApp(scene);
  scene.picked = id;
  sent.set(scene, { query: {}, body: { entityId } });
  return {};
};
/** A request that waits in a browser until somebody has signed in. */
const waiting = async (scene: Scene) => {
  const body = { SAMLRequest: authnRequest(scene, await newApp(scene)) };
  const { text } = await scene.send("POST", `/saml/sso?tenant=${scene.tenantId}`, { body });
  const [, request = ""] = /request=([\w-]+)/.exec(text) ?? [];
  sent.set(scene, { query: { request }, body: {} });
  return {};
};
const ownTenant = (scene: Scene) => ({ tenant: scene.tenantId });
const requestOf = (scene: Scene) => authnRequest(scene, sentBy(scene).body as { entityId: string });

/** The samples of this area's operations. */
export const appSamples = {
  "samlApps.form": {},
  "samlApps.create": { body: (scene) => appBody(scene) },
  "samlApps.list": {},
  "samlApps.health": {},
  "samlApps.read": { arrange: anApp },
  "samlApps.update": { arrange: anApp, body: (scene) => ({ name: scene.unique() }) },
  "samlApps.remove": { arrange: anApp },
  "samlApps.preview": { arrange: anApp, body: () => ({}) },
  "samlApps.launch": { arrange: anApp, body: () => ({}) },
  "samlApps.listAssignments": { arrange: anApp },
  "samlApps.assign": { arrange: anApp, body: () => ({ subjectType: "role", subjectId: "auditor" }) },
  "samlApps.unassign": { arrange: anAssignment },
  "samlApps.listSessions": { arrange: anApp },
  "samlKeys.list": {},
  "samlKeys.create": { arrange: noNextKey, body: () => ({}) },
  "samlKeys.activate": { arrange: aKey, body: () => ({}) },
  "apps.list": {},
  "apps.read": { arrange: anApplication },
  "apps.update": { arrange: anApplication, body: (scene) => ({ name: scene.unique() }) },
  "apps.removeOwn": { arrange: anApplication },
  "sso.signOn": { goodForMs: 59_000, arrange: (scene, caller) => newLaunch(scene, caller).catch(() => NOWHERE) },
  "saml.metadata": { query: ownTenant },
  "saml.ssoRedirect": {
    ofTenants: true,
    ownBearer: true,
    arrange: pick,
    query: (scene) => ({ ...ownTenant(scene), SAMLRequest: deflated(requestOf(scene)) }),
  },
  "saml.ssoPost": {
    ofTenants: true,
    ownBearer: true,
    arrange: pick,
    query: ownTenant,
    body: (scene) => ({ SAMLRequest: requestOf(scene) }),
  },
  "saml.signInPage": { ofTenants: true, ownBearer: true, arrange: waiting, query: (scene) => sentBy(scene).query },
  "saml.signIn": { body: (_scene, { username, password }) => ({ username, password }) },
  "saml.launcher": {},
  "saml.launcherStart": { ofTenants: true, ownBearer: true, arrange: pick, body: ({ picked }) => ({ app: picked }) },
  "slo.own": {},
  "saml.logout": {},
  "slo.message": { arrange: (scene) => aLogout(scene, "redirect"), query: (scene) => sentBy(scene).query },
  "saml.logoutRedirect": {
    ofTenants: true,
    arrange: (scene) => aLogout(scene, "redirect"),
    query: (scene) => sentBy(scene).query,
  },
  "saml.logoutPost": {
    ofTenants: true,
    arrange: (scene) => aLogout(scene, "post"),
    query: ownTenant,
    body: (scene) => sentBy(scene).body,
  },
} as const satisfies Readonly<Record<string, Sample>>;
