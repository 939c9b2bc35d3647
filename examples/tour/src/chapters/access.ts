import type { Client } from "../client.js";
import { expectSame } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import { type Database, startDatabase } from "../systems/database.js";
import { govern, offered, read, until } from "../systems/governed.js";
import type {
  AccessAssignment,
  AccessDrift,
  AccessRequest,
  Asset,
  CertificationItem,
  List,
  Offered,
  Person,
} from "../wire.js";
import { newPassword, signIn } from "./tenant.js";

const API = "/api/v1";
const SERVICE = "svc_triage";
const OK = { expect: 200 } as const;

/** What an agent may ask for, and who decides. */
interface Setting {
  readonly story: Story;
  readonly database: Database;
  readonly ada: Client;
  readonly grace: Person;
  readonly hedy: Person;
  readonly targetId: string;
  readonly agent: Asset;
  readonly reads: Offered;
}

/** An agent gets access to a real database by request, and loses it by time, by hand and by a certification. */
export async function governAccess(story: Story): Promise<void> {
  chapter("Access", "An agent asks for a right in a real database: two people decide, and what is granted is watched.");
  const database = await startDatabase();
  try {
    const setting = await prepare(story, database);
    const claims = await granted(setting, "claims");
    await putRight(setting);
    await expire(setting, claims);
    await certify(setting, await granted(setting, "payments"));
  } finally {
    await database.stop();
  }
}

async function prepare(story: Story, database: Database): Promise<Setting> {
  const { client: ada, userId, name: owner } = known(story.ada, "Ada");
  const grace = known(story.grace, "Grace");
  const hedy = await colleague(story, ada);
  story.hedy = hedy;
  const connectorInstanceId = await govern(ada, database);
  const target = `${API}/access-targets/${connectorInstanceId}`;
  const service = await offered(ada, `${target}/resources?resourceType=role`, SERVICE);
  const reads = await offered(ada, `${target}/access-profiles?resourceType=table`, "table.read");
  const approval = { definitionHash: reads.definitionHash, reason: "It reads one table, and no more." };
  await grace.client.post(`${API}/access-profiles/${reads.id}/approve`, approval, OK);
  done("A PostgreSQL is connected and read; Grace approves that reading a table can be asked for");
  const answers = { type: "user", id: userId, name: owner };
  const fields = { name: `Triage ${story.mark}`, assetType: "agent", owner: answers };
  const { body: agent } = await ada.post<Asset>(`${API}/ai-assets`, fields);
  const principal = { type: "service_account", externalId: service.externalId, displayName: SERVICE };
  await ada.post(`${API}/ai-assets/${agent.id}/access-identities`, { connectorInstanceId, principal });
  const stages = [grace, hedy].map(({ userId }) => ({ approvers: [{ kind: "user", id: userId }] }));
  const covers = { connectorInstanceIds: [connectorInstanceId] };
  await ada.post(`${API}/access-policies`, { name: `Claims ${story.mark}`, covers, stages });
  done(`The agent “${agent.name}” acts as ${SERVICE} there, and two people decide about its access`);
  return { story, database, ada, grace, hedy, targetId: connectorInstanceId, agent, reads };
}

async function colleague({ server, mark }: Story, ada: Client): Promise<Person> {
  const hedy = { username: `hedy@${mark}.example`, password: newPassword() };
  await ada.post(`${API}/users`, { ...hedy, name: "Hedy", roles: ["approver"] });
  return signIn(server, hedy.username, hedy.password);
}

const mayRead = async ({ database }: Setting, table: string): Promise<boolean> => {
  const [row] = await database.sql(`SELECT has_table_privilege('${SERVICE}', '${table}', 'SELECT') AS may`);
  return row?.may === true;
};

const assignmentOf = ({ ada }: Setting, id: string) => read<AccessAssignment>(ada, `${API}/access-assignments/${id}`);

/** Asks for reading a table, has two people approve it, and looks into the database. Returns the assignment's id. */
async function granted(setting: Setting, table: string): Promise<string> {
  const { story, ada, grace, hedy, targetId: connectorInstanceId, agent, reads, database } = setting;
  const resources = `${API}/access-targets/${connectorInstanceId}/resources?resourceType=table`;
  const { id: resourceId } = await offered(ada, resources, table);
  const wanted = { connectorInstanceId, items: [{ accessProfileId: reads.id, resourceId }], duration: "P1D" };
  const asking = { ...wanted, reason: "It sorts the claims of the day." };
  const path = `${API}/ai-assets/${agent.id}/access-requests`;
  const { body: request } = await ada.post<AccessRequest>(path, asking, OK);
  expectSame("it waits", request.status, "pending_approval");
  done(`Ada asks for it: “${request.wouldAllow[0]}”`);
  const at = `${API}/access-requests/${request.id}`;
  const vote = { expectedScopeHash: request.scopeHash, reason: "It reads one table for a day." };
  await ada.post(`${at}/approve`, vote, { expect: 403 });
  refused("Ada approves what she has asked for: 403");
  story.refusals += 1;
  await grace.client.post(`${at}/approve`, vote, OK);
  expectSame("one of two is not enough", await mayRead(setting, table), false);
  await hedy.client.post(`${at}/approve`, vote, OK);
  const { items } = await until("the database grants it", () => read<AccessRequest>(ada, at), "provisioned");
  expectSame("the database says so itself", await mayRead(setting, table), true);
  await database.sql(`SELECT count(*) FROM ${table}`, SERVICE);
  done(`Grace and Hedy approve it: the right is really there, and ${SERVICE} reads “${table}”`);
  return items[0]?.assignmentId as string;
}

/** Somebody takes the right away in the database itself, which a scan finds. */
async function putRight(setting: Setting): Promise<void> {
  const { ada, database, targetId } = setting;
  await database.sql(`REVOKE SELECT ON claims FROM ${SERVICE}; GRANT SELECT ON payments TO ${SERVICE}`);
  const target = `${API}/access-targets/${targetId}`;
  const { body: scan } = await ada.post<{ id: string }>(`${target}/drift-scan`, {}, OK);
  await until("the scan ends", () => read<{ status: string }>(ada, `${target}/drift-scans/${scan.id}`), "complete");
  const drift = await read<List<AccessDrift>>(ada, `${API}/access-drift?status=open&connectorInstanceId=${targetId}`);
  const kinds = drift.items.map(({ kind }) => kind).sort();
  expectSame("what differs", kinds, ["missing_in_target", "unmanaged_in_target"]);
  done("Somebody changes rights in the database by hand; a scan finds one that is missing and one that nobody granted");
  for (const { id, repairs } of drift.items) {
    const body = { action: repairs[0], reason: "It is as was decided, or it is not there." };
    await ada.post(`${API}/access-drift/${id}/repair`, body, OK);
    await until("the database is put right", () => read<AccessDrift>(ada, `${API}/access-drift/${id}`), "resolved");
  }
  expectSame(
    "it is as was decided",
    [await mayRead(setting, "claims"), await mayRead(setting, "payments")],
    [true, false],
  );
  done("Both are put right, and the database says so itself");
}

/** Its time is shortened, and when that is over the right is gone. */
async function expire(setting: Setting, id: string): Promise<void> {
  const { ada } = setting;
  const body = { expiresAt: new Date(Date.now() + 2_000).toISOString(), reason: "The claims of the day are sorted." };
  await ada.post(`${API}/access-assignments/${id}/modify`, body, OK);
  await until("its time is over", () => assignmentOf(setting, id), "expired");
  expectSame("it is really gone", await mayRead(setting, "claims"), false);
  done("Its time is shortened; when it is over the right is really gone");
}

/** A reviewer says that other access is not needed any more. */
async function certify(setting: Setting, id: string): Promise<void> {
  await revokeByCertification(setting, id, "Payments");
  expectSame("it is really gone", await mayRead(setting, "payments"), false);
  done("A certification asks Grace about it, who revokes it; the database confirms that it is gone");
  note("GET /api/v1/access-lifecycle/dashboard shows all of this in numbers, each with the list that it counts");
}

/** A certification asks Grace about access, who revokes it. Resolves when it has ended where it was. */
export async function revokeByCertification(
  { story, ada, grace }: Pick<Setting, "story" | "ada" | "grace">,
  id: string,
  name: string,
): Promise<void> {
  const campaign = {
    name: `${name} ${story.mark}`,
    scope: { assignmentIds: [id] },
    stages: [{ reviewer: "users", userIds: [grace.userId] }],
    remediation: { mode: "immediate", undoWindow: "PT1S" },
  };
  await ada.post(`${API}/access-certifications`, campaign, OK);
  const asked = await until(
    "Grace is asked",
    async () => {
      const { items } = await read<List<CertificationItem>>(grace.client, `${API}/access-certification-items`);
      const item = items.find(({ assignmentId }) => assignmentId === id);
      return { status: item ? "asked" : "waiting", item };
    },
    "asked",
  );
  const { certificationId, id: itemId, snapshotVersion } = asked.item as CertificationItem;
  const review = { decision: "revoke", reason: "Nobody needs it.", expectedSnapshotVersion: snapshotVersion };
  await grace.client.post(`${API}/access-certifications/${certificationId}/items/${itemId}/review`, review, OK);
  const ended = await until(
    "it is revoked",
    () => read<AccessAssignment>(ada, `${API}/access-assignments/${id}`),
    "revoked",
  );
  expectSame("why it ended", ended.endReason, "certification");
}
