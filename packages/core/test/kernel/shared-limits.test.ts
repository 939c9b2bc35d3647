import { type Answer, createWorld, type World } from "@reeve/testkit";
import { runSql } from "@reeve/testkit/postgres";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ulidSource } from "#testing/index.js";
import { type Address, storeAt } from "../helpers/address.js";
import { Planes, sending } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const LIMITS = { tenant: 1_000_000, principal: 200, address: 1_000_000, rejected: 40, credential: 1_000 };
/** How many requests a second process may serve before it reads the shared count. */
const SLACK = LIMITS.principal / 20;
/** How long a process leaves a silent store alone, in ms. */
const SILENCE = 5_000;

describe.each(["sqlite", "postgres"] as const)("two processes on one %s database", (kind) => {
  let address: Address;
  let world: World;
  let planes: Planes;
  beforeAll(async () => {
    address = await emptyDatabase(kind);
    const store = storeAt(address);
    undoLater(() => store.close());
    world = await createWorld({ store, ids: ulidSource() });
    planes = await Planes.start(2, { address, config: { rateLimits: LIMITS } });
  });

  const passed = (answers: readonly Answer[]) => answers.filter(({ status }) => status !== 429).length;
  const lists = (token: string, count: number) =>
    Array.from({ length: count }, () => sending("GET", "/api/v1/ai-assets", { token }));
  let guesses = 0;
  const signIns = (remoteAddress: string, count: number) =>
    Array.from({ length: count }, () => {
      guesses += 1;
      const body = { username: `nobody-${guesses}`, password: "nothing" };
      return sending("POST", "/api/v1/auth/signin", { remoteAddress, body });
    });

  /**
   * A process whose store answers late counts alone for a while. A race in which that happened proves nothing and is
   * repeated, later on the clock of the processes and with another key. That clock stands still, so no race spans two windows.
   */
  const whileShared = async (race: (attempt: number) => Promise<readonly Answer[]>) => {
    for (let attempt = 1; ; attempt++) {
      const alone = () => planes.warnings.filter((text) => text.includes("the store is silent")).length;
      const before = alone();
      const answers = await race(attempt);
      if (alone() === before) return answers;
      planes.now = new Date(Date.parse(planes.now) + SILENCE).toISOString();
    }
  };

  it("let one principal through no more than the limit and the stated slack", async () => {
    const answers = await whileShared(async () => {
      const { token } = await world.a.newUser(["auditor"]);
      return planes.race<Answer>(() => lists(token, LIMITS.principal));
    });
    expect(passed(answers)).toBeGreaterThanOrEqual(LIMITS.principal);
    expect(passed(answers)).toBeLessThanOrEqual(LIMITS.principal + SLACK);
    const others = await planes.race<Answer>(() => lists(world.b.owner.token, 5));
    expect(passed(others)).toBe(10);
  });

  it("let one address try credentials as often as one process would, and little more", async () => {
    const answers = await whileShared((attempt) =>
      planes.race<Answer>((process) => signIns(`2001:db8:${attempt}::${process + 1}`, LIMITS.rejected)),
    );
    expect(passed(answers)).toBeGreaterThanOrEqual(LIMITS.rejected);
    expect(passed(answers)).toBeLessThanOrEqual(LIMITS.rejected + LIMITS.rejected / 20);
    const elsewhere = await planes.race<Answer>(() => signIns("2001:db8:0:0:1::1", 5));
    expect(passed(elsewhere)).toBe(10);
  });

  it.runIf(kind === "postgres")("read on while quotas cannot be taken, and take no credentials", async () => {
    const actor = await world.a.newUser(["member"]);
    const { url } = address as Extract<Address, { url: string }>;
    const hold = runSql(url, "lock table reeve.quotas in exclusive mode; select pg_sleep(60)").catch(() => undefined);
    const isHeld =
      "select 1 from pg_locks where relation = 'reeve.quotas'::regclass and mode = 'ExclusiveLock' and granted";
    while ((await runSql(url, isHeld)).length === 0);
    const release = async () => {
      await runSql(
        url,
        `select pg_terminate_backend(pid) from pg_locks where relation = 'reeve.quotas'::regclass
        and mode = 'ExclusiveLock' and granted`,
      );
      await hold;
    };
    onTestFinished(release);
    const refused = await planes.race<Answer>(() => signIns("198.51.100.7", 1));
    expect(refused.map(({ json }) => json.code)).toEqual(["storage_unavailable", "storage_unavailable"]);
    const answers = await planes.race<Answer>(() => lists(actor.token, 30));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
