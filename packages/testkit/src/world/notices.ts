import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";
import { BARE, store, storedRecord } from "./stored-access.js";

const reason = "because a test wants it so";
/** An address that every guard of outgoing calls refuses without a question to the network. */
const URL = "https://192.0.2.1/reeve";

const COUNTS = { rotations: 0, replays: 0, tests: 0 };

/** A webhook of the tenant's owner. Its address is refused. */
export async function newWebhook(scene: Scene, body: object = {}): Promise<{ id: string; secret: string }> {
  const made = await scene.send("POST", "/api/v1/webhooks", {
    token: scene.owner.token,
    body: { name: scene.unique(), url: URL, types: ["platform.restored"], ...body },
  });
  if (made.status !== 201) throw new Error(made.text);
  return { id: made.json.id, secret: made.json.secret };
}

/** A webhook that is disabled, with its queue and an attempt, which was never sent anything. */
export async function newStoredWebhook(scene: Scene): Promise<void> {
  const text = scene.unique();
  const webhookId = await store(scene, "webhooks", "whk", {
    name: text,
    ...COUNTS,
    status: "disabled",
    url: URL,
    types: [],
  });
  await store(scene, "webhook_queues", "whq", {
    ...BARE,
    ...{ webhookId, position: 0, done: [], again: [], failures: 0, failingSince: null, lastFailure: null },
    ...{ alarmedAt: null, lastDeliveredAt: null, restsUntil: null },
  });
  await store(scene, "webhook_attempts", "wha", {
    ...BARE,
    ...{ webhookId, eventId: text, sequence: 1, type: text, outcome: "failed", httpStatus: 500 },
    ...{ failure: "status_500", durationMs: 1 },
  });
}

/** The most webhooks that samples leave behind, since a tenant has few. The oldest is that of the scene. */
const LEFT = 10;

const aWebhook = async (scene: Scene) => {
  const { token } = scene.owner;
  const { json } = await scene.send("GET", "/api/v1/webhooks?size=100", { token });
  for (const { id } of json.items.slice(LEFT, -1))
    await scene.send("DELETE", `/api/v1/webhooks/${id}`, { token, headers: { "if-match": "*" } });
  return { id: (await newWebhook(scene)).id };
};
const aDisabled = async (scene: Scene) => {
  const { id } = await aWebhook(scene);
  await scene.send("POST", `/api/v1/webhooks/${id}/disable`, {
    token: scene.owner.token,
    headers: { "if-match": "*" },
    body: { reason },
  });
  return { id };
};

/** A notice to somebody, or to the owner of the tenant. */
async function newNotice(scene: Scene, caller: Actor = scene.owner): Promise<{ id: string }> {
  const id = await store(scene, "notices", "ntc", {
    ...BARE,
    ...{ userId: caller.userId, kind: "waiting", key: scene.unique(), status: "open", name: scene.unique() },
    ...{ matter: "asset_review", subject: { type: "ai_asset", id: scene.unique(), path: "/api/v1/ai-assets/none" } },
    ...{ assetId: null, page: "inbox", dueAt: null, onBehalfOf: null },
    ...{ readAt: null, overAt: null, mailAt: null, mailedAt: null },
  });
  return { id };
}

/** A notice to the owner of the tenant, and what else is stored of notices to people. */
export async function newStoredNotice(scene: Scene): Promise<void> {
  await newNotice(scene);
  const body = { language: "en", timeZone: "UTC", mail: { waiting: "daily" } };
  await scene.send("PUT", "/api/v1/me/notice-preferences", { token: scene.owner.token, body });
  const box = { dueAt: null, leasedUntil: null, failures: 0, failingSince: null };
  await keep(scene, "notice_mailboxes", scene.owner.userId, box);
  const at = new Date(scene.clock.now()).toISOString();
  const progress = { position: 0, endingsBefore: at, escalatedBefore: at };
  await keep(scene, "notice_progress", scene.tenantId, progress);
  await newDelegation(scene);
  await endDelegations(scene);
  const { id: channelId } = await newChannel(scene);
  await store(scene, "chat_posts", "chp", {
    ...BARE,
    ...{ channelId, kind: "halt", key: scene.unique(), subjectId: scene.unique(), name: scene.unique() },
    ...{ matter: null, page: "stop", postAt: null },
  });
}

/** Stores what a control plane with notices has stored already. */
async function keep(scene: Scene, name: string, id: string, fields: object): Promise<void> {
  const isThere = await storedRecord(scene, name, id).then(
    () => true,
    () => false,
  );
  if (!isThere) await store(scene, name, "", { ...BARE, id, ...fields });
}

const inAMonth = (scene: Scene) => new Date(scene.clock.now() + 30 * 86_400_000).toISOString();

/** Somebody else of the same tenant. */
const another = (scene: Scene, { userId }: Actor): string =>
  Object.values(scene.actors).find((actor) => actor.userId !== userId)?.userId ?? "";

/** A delegation of a person that is in force. */
async function newDelegation(scene: Scene, caller: Actor = scene.owner): Promise<{ id: string }> {
  const parties = { fromId: caller.userId, toId: another(scene, caller), endsAt: inAMonth(scene) };
  const bare = { name: undefined, metadata: undefined };
  return { id: await store(scene, "delegations", "dlg", { ...bare, ...parties, status: "active" }) };
}

/** Ends what is in force of a person's delegations, since one has few. */
async function endDelegations(scene: Scene, { userId, token }: Actor = scene.owner): Promise<Record<string, string>> {
  const headers = { "if-match": "*" };
  const { json } = await scene.send("GET", "/api/v1/me/delegations?status=active&size=100", { token });
  for (const { id, fromId } of json.items ?? [])
    if (fromId === userId)
      await scene.send("POST", `/api/v1/me/delegations/${id}/end`, { token, headers, body: { reason } });
  return {};
}

/** A channel that gets what never happens here. The oldest of many are removed. */
async function newChannel(scene: Scene): Promise<{ id: string }> {
  const { token } = scene.owner;
  const { json } = await scene.send("GET", "/api/v1/chat-channels?size=100", { token });
  for (const { id } of json.items.slice(LEFT, -1))
    await scene.send("DELETE", `/api/v1/chat-channels/${id}`, { token, headers: { "if-match": "*" } });
  const body = { name: scene.unique(), app: "slack", url: URL, kinds: ["halt"] };
  const made = await scene.send("POST", "/api/v1/chat-channels", { token, body });
  if (made.status !== 201) throw new Error(made.text);
  return { id: made.json.id };
}

/** The samples of operations about webhooks and notices. */
export const noticeSamples = {
  "notices.list": {},
  "notices.read": { arrange: newNotice },
  "notices.mark": { arrange: newNotice, body: () => ({ read: true }) },
  "notices.markAll": {
    arrange: newNotice,
    body: ({ clock }) => ({ until: new Date(clock.now()).toISOString() }),
  },
  "noticeMails.show": { query: { token: "none" }, elsewhere: 401 },
  "noticeMails.leave": { query: { token: "none" }, body: () => ({ "List-Unsubscribe": "One-Click" }), elsewhere: 401 },
  "delegations.list": {},
  "delegations.read": { arrange: newDelegation },
  "delegations.create": {
    arrange: endDelegations,
    body: (scene, caller) => ({ toId: another(scene, caller), endsAt: inAMonth(scene) }),
  },
  "delegations.end": { arrange: newDelegation, body: () => ({ reason }) },
  "chatChannels.list": {},
  "chatChannels.create": {
    arrange: async (scene) => {
      await newChannel(scene);
      return {};
    },
    body: (scene) => ({ name: scene.unique(), app: "teams", url: URL, kinds: ["halt"] }),
  },
  "chatChannels.read": { arrange: newChannel },
  "chatChannels.patch": { arrange: newChannel, body: (scene) => ({ name: scene.unique() }) },
  "chatChannels.remove": { arrange: newChannel },
  "chatChannels.test": { arrange: newChannel },
  "noticePreferences.read": {},
  "noticePreferences.put": { body: () => ({ language: "de", timeZone: "Europe/Berlin", mail: { waiting: "daily" } }) },
  "webhooks.list": {},
  "webhooks.create": { body: (scene) => ({ name: scene.unique(), url: URL, types: ["platform.restored"] }) },
  "webhooks.read": { arrange: aWebhook },
  "webhooks.patch": { arrange: aWebhook, body: (scene) => ({ name: scene.unique() }) },
  "webhooks.remove": { arrange: aWebhook },
  "webhooks.disable": { arrange: aWebhook, body: () => ({ reason }) },
  "webhooks.enable": { arrange: aDisabled, body: () => ({ reason }) },
  "webhooks.rotateSecret": { arrange: aWebhook },
  "webhooks.test": { arrange: aWebhook },
  "webhooks.replay": { arrange: aWebhook, body: () => ({ after: 1_000_000 }) },
  "webhooks.readDelivery": { arrange: aWebhook },
  "webhooks.listAttempts": { arrange: aWebhook },
} as const satisfies Readonly<Record<string, Sample>>;
