import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";
import { ScriptedConnector } from "./scripted-connector.js";

const PATH = "/api/v1/connector-instances";

/** The body of a connection to the scripted system, with the tenant's sentinel in every text. */
export function instanceBody(scene: Scene) {
  const text = scene.unique();
  return {
    name: text,
    providerKey: ScriptedConnector.providerKey,
    configuration: { account: text },
    secrets: { apiKey: `the key of ${text}` },
    metadata: { note: text },
  };
}

/** Access is read when a test asks for it. */
const WHEN_ASKED = { sync: null, driftScan: null };

/** Sets up a connection to the scripted system. Returns its id. */
export async function newInstance(
  scene: Scene,
  more: Readonly<Record<string, unknown>> = {},
  as: Actor = scene.owner,
): Promise<string> {
  const { token } = as;
  const created = await scene.send("POST", PATH, {
    token,
    body: { ...instanceBody(scene), schedule: WHEN_ASKED, ...more },
  });
  if (created.status !== 201) throw new Error(created.text);
  return created.json.id;
}

const ofScripted = async () => ({ providerKey: ScriptedConnector.providerKey });
const anEvent = async (scene: Scene) => {
  const { id } = await anInstance(scene);
  const { token } = scene.owner;
  const { json } = await scene.send("GET", `/api/v1/integrations/${id}/activity`, { token });
  return { id, eventId: json.items[0].id as string };
};
const settingsOf = (scene: Scene) => ({ configuration: instanceBody(scene).configuration });
const anInstance = async (scene: Scene) => ({ id: await newInstance(scene) });

/** The samples of this area's operations. */
export const connectorSamples = {
  "connectors.list": {},
  "connectors.read": { arrange: ofScripted },
  "connectors.readManifest": { arrange: ofScripted },
  "connectors.test": {
    arrange: ofScripted,
    body(scene) {
      const { configuration, secrets } = instanceBody(scene);
      return { configuration, secrets };
    },
  },
  "connectors.listCategories": {},
  "connectors.listEnabled": {},
  "connectors.listStatuses": {},
  "connectorInstances.list": {},
  "connectorInstances.create": { body: (scene) => instanceBody(scene) },
  "connectorInstances.read": { arrange: anInstance },
  "connectorInstances.patch": { arrange: anInstance, body: (scene) => ({ name: scene.unique() }) },
  "connectorInstances.delete": { arrange: anInstance },
  "integrations.list": {},
  "integrations.patch": { arrange: anInstance, body: (scene) => ({ name: scene.unique() }) },
  "integrations.delete": { arrange: anInstance },
  "integrations.listActivity": { arrange: anInstance },
  "integrations.readActivity": { arrange: anEvent },
  "integrations.summarizeActivity": { arrange: anInstance },
  "integrations.readConfiguration": { arrange: anInstance },
  "integrations.replaceConfiguration": { arrange: anInstance, body: settingsOf },
  "integrations.validateConfiguration": { arrange: anInstance, body: settingsOf },
} as const satisfies Readonly<Record<string, Sample>>;
