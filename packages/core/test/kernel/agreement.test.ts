import { type Actor, type Answer, createWorld, type World } from "@reeve/testkit";
import { runSql } from "@reeve/testkit/postgres";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Collection } from "#kernel/records/collection.js";
import { collections } from "#reference/index.js";
import type { StoredRecord } from "#store/index.js";
import { PLATFORM_TENANT, ulidSource } from "#testing/index.js";
import { type Address, storeAt } from "../helpers/address.js";
import { type Command, Planes, sending } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

/** What two processes must agree on: one record, changed directly in the store, and a response that depends on it. */
interface Matter {
  readonly name: string;
  readonly actor: (world: World) => Promise<Actor>;
  readonly record: (world: World, actor: Actor) => readonly [tenantId: string, collection: string, id: string];
  readonly from: object;
  readonly to: object;
  readonly ask: (actor: Actor) => Command;
  /** The status of the response before and after. */
  readonly answers: readonly [number, number];
}

const list = ({ token }: Actor) => sending("GET", "/api/v1/ai-assets", { token });
const create = ({ token }: Actor) => sending("POST", "/api/v1/ai-assets", { token, body: { name: "made" } });
const SWITCH = "registration";
const SETTING = "registration.policy";

const matters: readonly Matter[] = [
  {
    name: "the roles of a user",
    actor: ({ a }) => a.newUser(["operator"]),
    record: ({ a }, { userId }) => [a.tenantId, "users", userId],
    from: { roles: ["operator"] },
    to: { roles: ["auditor"] },
    ask: create,
    answers: [201, 403],
  },
  {
    name: "the revocation of a user's tokens",
    actor: ({ a }) => a.newUser(["member"]),
    record: ({ a }, { userId }) => [a.tenantId, "credentials", userId],
    from: {},
    to: { securityVersion: 9 },
    ask: list,
    answers: [200, 401],
  },
  {
    name: "the status of a tenant",
    actor: async ({ b }) => b.owner,
    record: ({ b }) => [b.tenantId, "tenants", b.tenantId],
    from: { status: "active" },
    to: { status: "suspended" },
    ask: list,
    answers: [200, 403],
  },
  {
    name: "what a tenant is licensed for",
    actor: async ({ a }) => a.owner,
    record: ({ a }) => [a.tenantId, "entitlements", "capability:ai_registry"],
    from: { status: "licensed" },
    to: { status: "revoked" },
    ask: list,
    answers: [200, 403],
  },
  {
    name: "a kill switch",
    actor: async ({ a }) => a.owner,
    record: () => [PLATFORM_TENANT, "kill_switches", SWITCH],
    from: { status: "released" },
    to: { status: "engaged" },
    ask: () => sending("POST", "/api/v1/register", { body: {} }),
    answers: [400, 503],
  },
  {
    name: "a setting of the platform",
    actor: async ({ a }) => a.owner,
    record: () => [PLATFORM_TENANT, "platform_settings", SETTING],
    from: { value: "open" },
    to: { value: "closed" },
    ask: () =>
      sending("POST", "/api/v1/register", {
        body: { organization: "Late Ltd", username: "late@example.test", password: "short" },
      }),
    answers: [400, 403],
  },
];

type Stored = StoredRecord & Readonly<Record<string, unknown>>;

/** Two processes with their own control planes on one database, and a world on it that they do not know of. */
class Run {
  private constructor(
    readonly address: Address,
    readonly world: World,
    readonly planes: Planes,
  ) {}

  static async on(kind: Address["kind"]): Promise<Run> {
    const address = await emptyDatabase(kind);
    const store = storeAt(address);
    undoLater(() => store.close());
    const config = { tokenLifetime: 86_400 };
    const world = await createWorld({ ...config, store, ids: ulidSource() });
    const marks = { version: 1, createdAt: new Date(0).toISOString() };
    const platform = store.forTenant(PLATFORM_TENANT);
    await platform.insert(collectionNamed("kill_switches"), { ...marks, id: SWITCH, status: "released" });
    await platform.insert(collectionNamed("platform_settings"), { ...marks, id: SETTING, value: "open" });
    return new Run(address, world, await Planes.start(2, { address, config }));
  }

  async statuses(command: Command): Promise<number[]> {
    return (await this.planes.all<Answer>(command)).map(({ status }) => status);
  }

  /** Changes the record directly in the store, as an operator's tool would. */
  async rewrite([tenantId, name, id]: ReturnType<Matter["record"]>, patch: object): Promise<void> {
    const collection = collectionNamed(name);
    const tenant = this.world.store.forTenant(tenantId);
    const previous = (await tenant.get(collection, id))?.value;
    if (!previous) throw new Error(`there is no ${id} in ${name}`);
    await tenant.replace(collection, { ...previous, ...patch, version: previous.version + 1 }, previous);
  }

  /** Sends a request to both processes, so that both cache the old state, and then changes it. */
  async change(matter: Matter) {
    const actor = await matter.actor(this.world);
    const record = matter.record(this.world, actor);
    const [before, after] = matter.answers;
    const ask = () => this.statuses(matter.ask(actor));
    // What an earlier test restored may still be on its way.
    await soon(async () => expect(await ask()).toEqual([before, before]));
    await this.rewrite(record, matter.to);
    return { ask, agreed: [after, after], restore: () => this.rewrite(record, matter.from) };
  }

  /** Advances the clocks of the two processes and the world. */
  pass(ms: number): void {
    this.world.clock.advance(ms);
    this.planes.now = new Date(this.world.clock.now()).toISOString();
  }
}

function collectionNamed(name: string): Collection<Stored> {
  return collections.find((collection) => collection.name === name) as Collection<Stored>;
}

/** No clock advances, so no cache expires. Only what the store tells can make them agree. */
const soon = (expectation: () => Promise<void>) => vi.waitFor(expectation, { interval: 50, timeout: 20_000 });

describe("two processes on one postgres database", () => {
  let run: Run;
  let restore = async () => {};
  beforeAll(async () => {
    run = await Run.on("postgres");
  });
  afterEach(() => restore());

  it.each(matters)("agree on $name once it is told", async (matter) => {
    const changed = await run.change(matter);
    restore = changed.restore;
    await soon(async () => expect(await changed.ask()).toEqual(changed.agreed));
  });

  it.each(matters)("agree on $name although no process was listening when it changed", async (matter) => {
    await soon(async () => expect(await listening("pid")).toHaveLength(3));
    expect(await listening("pg_terminate_backend(pid)")).toHaveLength(3);
    const changed = await run.change(matter);
    restore = changed.restore;
    await soon(async () => expect(await changed.ask()).toEqual(changed.agreed));
  });

  it("answer the very next request by what they changed themselves, and soon by what the other did", async () => {
    const { a } = run.world;
    const actor = await a.newUser(["member"]);
    expect(await run.statuses(list(actor))).toEqual([200, 200]);
    const body = { status: "disabled", reason: "a reason of more than ten characters" };
    const disable = sending("PATCH", `/api/v1/users/${actor.userId}`, { token: a.owner.token, body });
    const [disabled] = await run.planes.race<Answer>((process) => (process === 0 ? [disable] : []));
    expect(disabled?.status).toBe(200);
    const [next] = await run.planes.race<Answer>((process) => (process === 0 ? [list(actor)] : []));
    expect(next?.status).toBe(401);
    await soon(async () => expect(await run.statuses(list(actor))).toEqual([401, 401]));
  });

  it("answer alike for a token that was ended through one of them", async () => {
    const actor = await run.world.a.newUser(["member"]);
    expect(await run.statuses(list(actor))).toEqual([200, 200]);
    const signOut = sending("POST", "/api/v1/auth/signout", { token: actor.token });
    const [ended] = await run.planes.race<Answer>((process) => (process === 0 ? [signOut] : []));
    expect(ended?.status).toBe(204);
    await soon(async () => expect(await run.statuses(list(actor))).toEqual([401, 401]));
  });

  const listening = (what: string) =>
    runSql(
      (run.address as Extract<Address, { url: string }>).url,
      `select ${what} from pg_stat_activity
      where application_name = 'reeve-notices' and datname = current_database() and query like 'listen %'`,
    );
});

describe("two processes on one sqlite database", () => {
  let run: Run;
  beforeAll(async () => {
    run = await Run.on("sqlite");
  });

  it.each(matters)("agree on $name once it is told", async (matter) => {
    const { ask, agreed, restore } = await run.change(matter);
    await soon(async () => expect(await ask()).toEqual(agreed));
    await restore();
  });
});
