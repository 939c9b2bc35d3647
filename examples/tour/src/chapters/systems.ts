import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../client.js";
import { expectSame, expectTrue, Unexpected } from "../expectation.js";
import { chapter, done, note, refused, table } from "../page.js";
import { known, type Story } from "../story.js";
import { startCodeHost } from "../systems/code-host.js";
import { startDatabase } from "../systems/database.js";
import { startDirectory } from "../systems/directory.js";
import type { System } from "../systems/system.js";
import type { Asset, ConnectorInstance, Import, ImportItem, List } from "../wire.js";

const INSTANCES = "/api/v1/connector-instances";
/** How long an import may take, in ms: jobs run some seconds after each other. */
const PATIENCE = 150_000;

/** Real systems are connected, looked through, and taken in: first as a plan, then as somebody confirms it. */
export async function connectSystems(story: Story): Promise<void> {
  chapter("Real systems", "A database, a directory and a code host: what AI is there, and who answers for it?");
  const ada = known(story.ada, "Ada").client;
  const started = [await startDatabase(), await startDirectory(), await startCodeHost()];
  const systems = started.filter((system) => system !== undefined);
  try {
    if (systems.length < started.length) note("slapd is not installed, so there is no directory");
    await refuseWrongPassword(story, ada, systems[0] as System);
    const connected = await Promise.all(systems.map((system) => connect(ada, system)));
    await keepPasswords(story, ada, connected[0] as ConnectorInstance);
    const plans = await Promise.all(connected.map(({ id }) => planned(ada, id)));
    await showPlans(ada, plans);
    for (const plan of plans) await confirm(ada, plan);
    await refuseOtherPlan(story, ada, plans[0] as Import);
    for (const plan of plans)
      expectSame("all of the plan is carried out", (await settled(ada, plan)).done, plan.counts.create);
    await showUnowned(
      ada,
      plans.reduce((sum, { counts }) => sum + counts.create, 0),
    );
    const again = await planned(ada, (connected[0] as ConnectorInstance).id);
    expectSame("nothing is found twice", [again.counts.create, again.counts.unchanged], [0, plans[0]?.counts.create]);
    done("A second look at the database finds nothing new, and notes when each was seen");
  } finally {
    await Promise.all(systems.map((system) => system.stop()));
  }
}

const bodyOf = ({ name, providerKey, configuration, secrets }: System) => ({
  name,
  providerKey,
  configuration,
  secrets,
  status: "active",
});

async function refuseWrongPassword(story: Story, ada: Client, system: System): Promise<void> {
  const wrong = { ...bodyOf(system), secrets: { password: "a guess" } };
  await ada.post(INSTANCES, wrong, { expect: 409, code: "connection_test_failed" });
  refused("A connection with a wrong password is tested, and not set up: 409 connection_test_failed");
  story.refusals += 1;
}

async function connect(ada: Client, system: System): Promise<ConnectorInstance> {
  const { body: instance, text } = await ada.post<ConnectorInstance>(INSTANCES, bodyOf(system));
  const reported = Object.values(system.secrets).some((secret) => text.includes(String(secret)));
  expectSame("it is in use, and shows no secret", [instance.status, reported], ["active", false]);
  done(`“${instance.name}”: ${system.about}, tested and connected`);
  return instance;
}

/** Whoever may change a connection does not know its password, and must not have it sent elsewhere. */
async function keepPasswords(story: Story, ada: Client, { id }: ConnectorInstance): Promise<void> {
  await ada.patch(`${INSTANCES}/${id}`, { configuration: { host: "127.0.0.2" } }, { expect: 400 });
  refused("Another address for it while keeping its password: 400, the password must be sent again");
  story.refusals += 1;
}

async function planned(ada: Client, id: string): Promise<Import> {
  const { body: begun } = await ada.post<Import>(`/api/v1/integrations/${id}/imports`, {});
  return settled(ada, begun);
}

const importPath = ({ connectorInstanceId, id }: Import) => `/api/v1/integrations/${connectorInstanceId}/imports/${id}`;

/** Waits until an import waits for a person or has ended. */
async function settled(ada: Client, begun: Import): Promise<Import> {
  for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await sleep(250)) {
    const { body } = await ada.get<Import>(importPath(begun));
    if (body.status === "failed") throw new Unexpected("the system is read", "a plan", body.failure);
    if (!["queued", "discovering", "importing"].includes(body.status)) return body;
  }
  throw new Unexpected("the import goes on (jobs run in the server)", "an end", "none");
}

async function showPlans(ada: Client, plans: readonly Import[]): Promise<void> {
  const { body: before } = await ada.get<List<Asset>>("/api/v1/ai-assets?status=discovered&size=1");
  const lists = await Promise.all(plans.map((plan) => ada.get<List<ImportItem>>(`${importPath(plan)}/items?size=100`)));
  const items = lists.flatMap(({ body }) => body.items);
  done(`Plans of ${items.length} lines wait for a word: nothing has been registered yet`);
  table(
    ["plan", "kind", "name", "found at"],
    items.map(({ action, assetType, name, content }) => [action, assetType, name, whereOf(content)]),
  );
  const { body: after } = await ada.get<List<Asset>>("/api/v1/ai-assets?status=discovered&size=1");
  expectSame("planning changes nothing", after.totalItems, before.totalItems);
}

/** Where a target says that it is: a file with its line, a role, an entry. */
function whereOf(content: string | null): string {
  const { found: [first] = [] } = JSON.parse(content ?? "{}") as {
    readonly found?: readonly { readonly location: string; readonly line?: number }[];
  };
  return first ? `${first.location}${first.line === undefined ? "" : `:${first.line}`}` : "";
}

async function confirm(ada: Client, plan: Import): Promise<void> {
  const { planHash } = plan;
  await ada.post(`${importPath(plan)}/confirm`, { planHash, selection: "all" }, { expect: 200 });
}

async function refuseOtherPlan(story: Story, ada: Client, plan: Import): Promise<void> {
  const other = { planHash: "0".repeat(64), selection: "all" };
  await ada.post(`${importPath(plan)}/confirm`, other, { expect: 409, code: "plan_changed" });
  refused("Confirming a plan that nobody has seen: 409 plan_changed");
  story.refusals += 1;
}

async function showUnowned(ada: Client, imported: number): Promise<void> {
  const { body } = await ada.get<List<Asset>>("/api/v1/ai-assets?owned=false&status=discovered&size=100");
  expectTrue("what was imported has no owner yet", body.totalItems >= imported, body.totalItems);
  done(`Confirmed, and carried out: ${imported} assets are registered, and nobody answers for them yet`);
  note("GET /api/v1/ai-assets?owned=false lists what is unowned");
}
