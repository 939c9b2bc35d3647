import { mcpConnector } from "@reeve/mcp";
import {
  codeIn,
  createPlane,
  createProvider,
  createTenant,
  headersOf,
  pathOf,
  type Scene,
  ScriptedConnector,
  ScriptedMcp,
  sampleOf,
  table,
  tokenFor,
} from "@reeve/testkit";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { served } from "../helpers/adapters.js";
import { emptyStore } from "../helpers/stores.js";

type Operation = (typeof table)[number];
type Example = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;

const OF_THE_HOST = {
  providerKey: ["It is one of the host's connectors.", () => ScriptedConnector.providerKey],
  configuration: ["It is as that connector says.", (scene: Scene) => ({ account: scene.unique() })],
} as const;

const ASKED = {
  connectorInstanceId: ["It is the id of a connection.", ({ picked }: Scene) => picked.split(" ")[0]],
  items: ["They are ids of what is there.", ({ picked }: Scene) => wantedOf(picked)],
} as const;

/** Properties of examples that only the running system knows, with the reason and what stands there instead. */
const KNOWN_BY_THE_SYSTEM: Readonly<
  Record<string, Readonly<Record<string, readonly [reason: string, of: (scene: Scene) => unknown]>>>
> = {
  "auth.setPassword": { token: ["It is mailed.", ({ mailed }) => mailed.secret] },
  "auth.token": { refresh_token: ["It is issued at sign-in.", ({ spare }) => spare.refreshToken] },
  "email.verifyOtp": { otp: ["It is mailed.", ({ mailed }) => mailed.secret] },
  "aiGovernancePolicies.decideChange": { digest: ["It is the digest of what waits.", ({ picked }) => picked] },
  "mcpServers.approveTools": { manifestDigest: ["It is the digest of scanned tools.", ({ scanned }) => scanned] },
  "aiAssessments.create": { assetId: ["It is the id of an asset.", ({ picked }) => picked] },
  "delegations.create": {
    toId: ["It is the id of another person.", ({ actors }) => actors.auditor.userId],
    endsAt: ["It is within a year.", ({ clock }) => new Date(clock.now() + 86_400_000).toISOString()],
  },
  "connectorInstances.create": OF_THE_HOST,
  "connectorInstances.patch": OF_THE_HOST,
  "connectors.test": { configuration: OF_THE_HOST.configuration },
  "integrations.patch": OF_THE_HOST,
  "integrations.replaceConfiguration": OF_THE_HOST,
  "integrations.validateConfiguration": OF_THE_HOST,
  "catalog.createInstance": OF_THE_HOST,
  "catalog.testDraft": OF_THE_HOST,
  "catalog.replaceInstance": OF_THE_HOST,
  "accessProfiles.approve": { definitionHash: ["It is the hash of what was looked at.", ({ picked }) => picked] },
  "accessRequests.create": ASKED,
  "accessRequests.preview": ASKED,
  "accessRequests.approve": {
    expectedScopeHash: ["It is the hash of what was looked at.", ({ picked }) => picked],
  },
  "accessIdentities.declare": { connectorInstanceId: ["It is the id of a connection.", ({ picked }) => picked] },
  "agentTools.list": { token: ["It is shown when it is issued.", ({ picked }) => picked] },
  "agentTools.execute": {
    token: ["It is shown when it is issued.", ({ picked }) => picked],
    tool: ["It is one of the connector.", () => "read_note"],
  },
  "installationCodes.create": { agentId: ["It is the id of an agent.", ({ picked }) => picked] },
  "installations.enrol": { code: ["It is shown when it is issued.", ({ picked }) => picked] },
  "authzenRequests.submit": Object.fromEntries(
    ["subject", "action", "resource", "denial"].map((name) => [
      name,
      ["It was denied.", (scene: Scene) => formOf("authzenRequests.submit", scene)[name]],
    ]),
  ),
  "watches.enforce": { digest: ["It is the digest of the summary that was seen.", ({ picked }) => picked] },
  "saml.ssoPost": { SAMLRequest: ["An application writes it.", (scene) => formOf("saml.ssoPost", scene).SAMLRequest] },
  "saml.logoutPost": {
    SAMLRequest: ["An application writes and signs it.", (scene) => formOf("saml.logoutPost", scene).SAMLRequest],
  },
  "saml.signIn": {
    username: ["It is somebody's.", ({ owner }) => owner.username],
    password: ["It is that user's.", ({ owner }) => owner.password],
  },
  "saml.launcherStart": { app: ["It is the id of an application.", ({ picked }) => picked] },
  "secondFactorResets.create": { userId: ["It is the id of a user.", ({ picked }) => picked] },
  "aiGovernance.eraseEvents": { subjectId: ["It is the id of a user.", ({ picked }) => picked] },
};

/** The form that the sample of an operation sends. */
const formOf = (id: string, scene: Scene) =>
  sampleOf(operationNamed(id)).body?.(scene, scene.owner) as Readonly<Record<string, string>>;

interface Arranged {
  readonly params?: Record<string, string>;
  readonly token?: string;
}

/** What the examples of other operations arrange, in place of a sample. */
const ARRANGED: Readonly<Record<string, (setting: Setting, scene: Scene) => Promise<Arranged>>> = {
  async "auth.signIn"(setting, scene) {
    await accepted(setting, scene, "registration.register");
    return {};
  },
  async "browserSessions.create"(setting, scene) {
    await accepted(setting, scene, "registration.register");
    return {};
  },
  async "auth.resetPassword"(setting, scene) {
    return { token: (await accepted(setting, scene, "auth.signIn")).token };
  },
  async "email.verifyOtp"(setting, scene) {
    await accepted(setting, scene, "email.sendOtp");
    const address = exampleOf(operationNamed("email.sendOtp"), JSON_TYPE).email as string;
    scene.mailed = { address, secret: codeIn(await setting.mailbox.next(address)) };
    return {};
  },
  "support.setKillSwitch": async () => ({ params: { key: "access.provision" } }),
  async "aiExemptions.create"(setting, scene) {
    await accepted(setting, scene, "aiGovernancePolicies.create");
    return {};
  },
};

/** Operations whose examples name one person, or an address that gets one mail in a while. */
const ALONE = [
  "accessRequests.create",
  "accessRequests.preview",
  "registration.register",
  "auth.signIn",
  "browserSessions.create",
  "auth.resetPassword",
  "email.sendOtp",
  "email.verifyOtp",
];

const taking = table.filter(({ body, hidden }) => body && !hidden);
const operationNamed = (id: string) => taking.find((operation) => operation.id === id) as Operation;
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

type Setting = Awaited<ReturnType<typeof newSetting>>;
let shared: Setting;
/** The interface description, which is the same of each control plane here and takes long to make. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into every part of it
let document: any;
let tenants = 0;
beforeAll(async () => {
  shared = await newSetting();
  document = (await shared.ask("/openapi.json")).json;
});

/** A control plane behind an adapter. */
async function newSetting() {
  const store = await emptyStore();
  const mcp = Object.assign(new ScriptedMcp(), { answer: mcpConnector().answer });
  const plane = createPlane({ store, mcp, sqlConsole: store.console !== undefined });
  return { ...plane, provider: await createProvider(plane), ask: await served(plane) };
}

const contentOf = ({ path, method }: Operation): Content =>
  document.paths[path][method.toLowerCase()].requestBody.content;

/** The example of the body, as the reference page shows it. */
function exampleOf(operation: Operation, type: string): Example {
  const name = contentOf(operation)[type]?.schema.$ref.split("/").at(-1) as string;
  return document.components.schemas[name].example;
}

/** Sends a body to the operation as its caller, after what the request is about has been arranged. */
async function post(
  setting: Setting,
  scene: Scene,
  operation: Operation,
  type: string,
  change: (example: Example) => Example = (example) => example,
) {
  const arranged: Arranged = ARRANGED[operation.id]
    ? await (ARRANGED[operation.id] as (typeof ARRANGED)[string])(setting, scene)
    : { params: (await sampleOf(operation).arrange?.(scene)) ?? {} };
  const { params = {}, token = tokenFor(operation, scene, scene.callerOf(operation)) } = arranged;
  const body = change(exampleOf(operation, type));
  return setting.ask(pathOf(operation, params, scene), token, {
    method: operation.method,
    headers: headersOf(operation),
    type,
    body: type === FORM_TYPE ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body),
  });
}

/** The answer to the example of an operation, in JSON. */
async function accepted(setting: Setting, scene: Scene, id: string) {
  const { status, json } = await post(setting, scene, operationNamed(id), JSON_TYPE);
  expect(status, JSON.stringify(json)).toBe(operationNamed(id).success.status);
  return json;
}

async function freshTenant({ id }: Operation) {
  const setting = ALONE.includes(id) ? await newSetting() : shared;
  return { setting, scene: await createTenant(setting, `fresh${++tenants}`, setting.provider) };
}

/** What a request asks for that was arranged. */
function wantedOf(picked: string) {
  const [, accessProfileId, resourceId] = picked.split(" ");
  return [{ accessProfileId, resourceId }];
}

/** What stands in place of properties that only the running system knows. */
function known(id: string, scene: Scene): Example {
  const replaced = Object.entries(KNOWN_BY_THE_SYSTEM[id] ?? {});
  return Object.fromEntries(replaced.map(([name, [, of]]) => [name, of(scene)]));
}

describe.each(taking.map((operation) => [operation.id, operation] as const))("the example of %s", (id, operation) => {
  const { elsewhere } = sampleOf(operation);
  // Of these stores, only the one of SQLite has a console.
  it.skipIf(elsewhere !== undefined && !(elsewhere === 501 && inject("store") === "sqlite"))(
    "is accepted from a fresh tenant",
    async () => {
      const types = Object.keys(contentOf(operation));
      expect(types).toEqual(operation.dialect ? [JSON_TYPE, FORM_TYPE] : [JSON_TYPE]);
      for (const type of types) {
        const { setting, scene } = await freshTenant(operation);
        const { status, json } = await post(setting, scene, operation, type, (example) => {
          expect(Object.keys(example)).toEqual(expect.arrayContaining(Object.keys(known(id, scene))));
          return { ...example, ...known(id, scene) };
        });
        expect([type, status], JSON.stringify(json)).toEqual([type, operation.success.status]);
        expect(json?.valid).not.toBe(false);
      }
    },
  );
});

describe.each(Object.entries(KNOWN_BY_THE_SYSTEM))("the example of %s", (id, replaced) => {
  it.each(Object.keys(replaced))("is refused with the %s that the page shows", async (shown) => {
    const operation = operationNamed(id);
    const { setting, scene } = await freshTenant(operation);
    const { status, json } = await post(setting, scene, operation, JSON_TYPE, (example) => ({
      ...example,
      ...known(id, scene),
      [shown]: example[shown],
    }));
    // An operation that judges answers with its verdict.
    if (json?.valid === false) return;
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

it("replaces properties of operations that exist, each for a reason", () => {
  const unknown = Object.keys({ ...KNOWN_BY_THE_SYSTEM, ...ARRANGED }).filter((id) => !operationNamed(id));
  expect(unknown).toEqual([]);
});
