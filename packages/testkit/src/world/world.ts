import {
  type ConsolePages,
  type ControlPlane,
  type ControlPlaneConfig,
  createControlPlane,
  createMemoryStore,
  scryptHasher,
  silentLogger,
} from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { manualClock } from "@reeve/core/testing";
import { passkeyEngine } from "@reeve/passkeys";
import { samlEngine } from "@reeve/saml";
import { newAccessRecords } from "./access.js";
import { newRequestRecords } from "./access-requests.js";
import { newEndedToken } from "./agent-tools.js";
import { newApp } from "./apps.js";
import { newImpactAssessment } from "./assessments.js";
import { newStoredTask } from "./authzen-requests.js";
import { clientOf, type Send } from "./client.js";
import { newAssessment, newFramework } from "./compliance.js";
import { newUsedInstance } from "./connector-imports.js";
import { newInstance } from "./connectors.js";
import { newFirstApproval } from "./decisions.js";
import { newStoredRegistryKey } from "./doors.js";
import { newStoredInstallation } from "./enforcement.js";
import { newErasure } from "./erasures.js";
import { bodiesOf, ESTATE_RECORD_NAMES } from "./estate-records.js";
import { newFactorReset } from "./factor-resets.js";
import { newExemption } from "./findings.js";
import { newLiftedHalt } from "./halts.js";
import { type CountingIds, countingIds } from "./ids.js";
import { Mailbox } from "./mailbox.js";
import { newStoredNotice, newStoredWebhook } from "./notices.js";
import { type Actor, ROLE_NAMES, Scene } from "./scene.js";
import { ScriptedAccess } from "./scripted-access.js";
import { ScriptedConnector } from "./scripted-connector.js";
import { ScriptedMcp } from "./scripted-mcp.js";
import { newSavedView } from "./tenant-samples.js";

export const BASE_URL = "https://reeve.example";
export const START = "2026-01-05T09:00:00.000Z";
/** The master key of every world: 32 bytes that are not constant. */
export const MASTER_KEY = Uint8Array.from({ length: 32 }, (_, index) => (index * 37 + 11) % 256);

/** A control plane with a provider and two tenants. Each has a user of every role and one record of every resource. */
export interface World {
  readonly controlPlane: ControlPlane;
  readonly store: Store;
  readonly clock: ReturnType<typeof manualClock>;
  /** The ids of the control plane, unless its configuration has a source. */
  readonly ids: CountingIds;
  readonly send: Send;
  readonly mailbox: Mailbox;
  /** The MCP connector, unless the configuration has one. */
  readonly mcp: ScriptedMcp;
  /** The connector, unless the configuration has others. */
  readonly scripted: ScriptedConnector;
  /** The connector of access, unless the configuration has others. */
  readonly access: ScriptedAccess;
  /** The provider's own tenant, with a user of each of its roles. */
  readonly provider: Scene;
  readonly a: Scene;
  readonly b: Scene;
}

/**
 * Builds a control plane for tests: a clock that stands still, ids that count up, cheap hashing, kept mail and every
 * route mounted.
 */
export function createPlane(config: Partial<ControlPlaneConfig> = {}, minted = 0) {
  const store = config.store ?? createMemoryStore();
  const clock = manualClock(START);
  const mailbox = new Mailbox();
  const mcp = new ScriptedMcp();
  const scripted = new ScriptedConnector();
  const access = new ScriptedAccess();
  const ids = countingIds(minted);
  const controlPlane = createControlPlane({
    masterKey: MASTER_KEY,
    baseUrl: BASE_URL,
    clock,
    ids,
    hasher: scryptHasher({ cost: 4, concurrency: 8, queue: 10_000 }),
    mailer: mailbox,
    mcp,
    passkeys: passkeyEngine(),
    saml: samlEngine(),
    connectors: [scripted.connector, access.connector],
    rateLimits: "off",
    registration: "open",
    logger: silentLogger,
    // No DNS queries unless a test names a server.
    ...(config.dnsServers ? {} : { dns: { txt: async () => [] } }),
    rootRoutes: true,
    doors: true,
    reference: { get: (name) => PAGE.get(name) },
    console: CONSOLE,
    // They write to the record of events in the background, which most tests count.
    notices: false,
    ...config,
    store,
  });
  return { controlPlane, store, clock, ids, mailbox, mcp, scripted, access, send: clientOf(controlPlane) };
}

const CONSOLE: ConsolePages = {
  settings: { name: "Reeve", logo: null, accent: null, links: [], areas: null, refuseHidden: false },
  page: (base) => `<base href="${base}">`,
  asset: () => ({ contentType: "text/javascript", body: new TextEncoder().encode("export {};") }),
};

const PAGE = new Map([["index.html", { contentType: "text/html", body: new TextEncoder().encode("<p>{mount}") }]]);

/** Registers a tenant with a user of every role and no records. */
export async function createTenant(
  { send, store, clock, mailbox }: Pick<World, "send" | "store" | "clock" | "mailbox">,
  sentinel: string,
  provider?: Scene,
): Promise<Scene> {
  const credentials = { username: `${sentinel}@example.test`, password: `a pass phrase for owner ${sentinel} 1` };
  const registered = await send("POST", "/api/v1/register", { body: { organization: sentinel, ...credentials } });
  if (registered.status !== 201) throw new Error(registered.text);
  const scene = new Scene(send, store, clock, registered.json.tenantId, sentinel, mailbox, provider);
  scene.actors.owner = await scene.signIn(registered.json.userId, credentials);
  for (const role of ROLE_NAMES.filter((name) => name !== "owner")) scene.actors[role] = await scene.newUser([role]);
  return scene;
}

/** Registers a tenant with a user of every role and one record of every resource. */
export async function createScene(
  plane: Pick<World, "send" | "store" | "clock" | "mailbox">,
  sentinel: string,
  provider?: Scene,
): Promise<Scene> {
  const scene = await createTenant(plane, sentinel, provider);
  await scene.evaluate();
  await newExemption(scene);
  const { json: listed } = await scene.send("GET", "/api/v1/ai-assets?size=1", { token: scene.owner.token });
  const assetId = listed.items[0].id;
  for (const name of ESTATE_RECORD_NAMES) await scene.newRecord(name, bodiesOf(name).inWorld);
  await scene.newSession({ agentId: null });
  await scene.newPolicy("posture");
  await newImpactAssessment(scene, { assetId });
  await newAssessment(scene, { assetId: null });
  await newFramework(scene);
  await newFirstApproval(scene);
  await newLiftedHalt(scene);
  await newErasure(scene);
  await newFactorReset(scene);
  await newInstance(scene);
  await newUsedInstance(scene);
  await newAccessRecords(scene, assetId);
  await newRequestRecords(scene, assetId);
  await newEndedToken(scene, assetId);
  await newStoredInstallation(scene, assetId);
  await newStoredWebhook(scene);
  await newStoredRegistryKey(scene);
  await newStoredTask(scene);
  await newStoredNotice(scene);
  await newApp(scene, { status: "draft" });
  await newSavedView(scene);
  return scene;
}

/**
 * Creates the provider's own tenant with a user of each of its roles, and a kill switch that was engaged and released.
 */
export async function createProvider({
  controlPlane,
  send,
  store,
  clock,
  mailbox,
}: Pick<World, "controlPlane" | "send" | "store" | "clock" | "mailbox">): Promise<Scene> {
  const credentials = { username: "root@provider.test", password: "a pass phrase for the provider 1" };
  await controlPlane.ensureProviderAdmin(credentials);
  const signedIn = await send("POST", "/api/v1/auth/signin", { body: credentials, remoteAddress: "provider" });
  const { token, refreshToken, user } = signedIn.json;
  const me = await send("GET", "/api/v1/support/me", { token });
  const scene = new Scene(send, store, clock, me.json.tenant.id, "provider", mailbox);
  scene.actors.provider_admin = { userId: user.id, ...credentials, token, refreshToken };
  scene.actors.provider_support = await scene.newUser(["provider_support"]);
  for (const status of ["engaged", "released"]) {
    const body = { status, reason: "to see that it can be done" };
    await send("POST", "/api/v1/support/kill-switches/access.provision", { token, body });
  }
  return scene;
}

/** Builds a whole world. */
export async function createWorld(config: Partial<ControlPlaneConfig> = {}): Promise<World> {
  const plane = createPlane(config);
  const provider = await createProvider(plane);
  const a = await createScene(plane, "zqalpha", provider);
  const b = await createScene(plane, "zqbravo", provider);
  return { ...plane, provider, a, b };
}

/**
 * The same world on a copy of its initial store, with the same configuration, people and tokens. The configuration must
 * name the copy.
 */
export function copyWorld(world: World, config: Partial<ControlPlaneConfig> & { readonly store: Store }): World {
  const plane = createPlane(config, world.ids.minted);
  const provider = world.provider.copy(plane);
  return { ...plane, provider, a: world.a.copy(plane, provider), b: world.b.copy(plane, provider) };
}

export type { Actor };
