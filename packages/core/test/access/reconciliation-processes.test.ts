import { createWorld, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { accessBench, type Bench } from "../helpers/access.js";
import { storeAt } from "../helpers/address.js";
import { endClaim } from "../helpers/claims.js";
import { eventsOf } from "../helpers/facts.js";
import { Planes, sending, tick } from "../helpers/planes.js";
import { ROUNDS } from "../helpers/request-races.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const GRANTS = 6;
const REASON = { reason: "The agent does not need it." };

describe("reconciliations in two processes on one postgres database", () => {
  let world: World;
  let planes: Planes;
  let bench: Bench;
  beforeAll(async () => {
    const address = await emptyDatabase("postgres");
    const store = storeAt(address);
    undoLater(() => store.close());
    const config = { tokenLifetime: 86_400 };
    world = await createWorld({ ...config, store, ids: ulidSource() });
    planes = await Planes.start(2, { address, config });
  });
  beforeEach(async () => {
    await planes.revive();
    bench = await accessBench(world);
    planes.now = new Date(world.clock.now()).toISOString();
  });

  const decided = async (round: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < GRANTS; at += 1)
      ids.push(await bench.decide({ duration: "P10D", parameters: { round, at } }));
    return ids;
  };
  const statusesOf = async (ids: readonly string[]) =>
    new Set(await Promise.all(ids.map(async (id) => (await bench.read(id)).status)));
  const movesTo = async (ids: readonly string[], state: string) => {
    const reported = (await eventsOf(world.a)).filter(({ attributes }) =>
      attributes.includes("access.assignment.status"),
    );
    const isMove = (data: string | null) => data !== null && JSON.parse(data).to === state;
    return ids.map((id) => reported.filter(({ attributes, data }) => attributes.includes(id) && isMove(data)).length);
  };
  const revoke = (id: string) =>
    sending("POST", `/api/v1/access-assignments/${id}/revoke`, { token: world.a.owner.token, body: REASON });

  it("grant and revoke each access once, whichever process does it", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = await decided(round);
      await planes.all(tick, tick);
      expect(await statusesOf(ids)).toEqual(new Set(["active"]));
      await planes.race((process) => (process === 0 ? ids.map(revoke) : [tick, tick, tick]));
      await planes.all(tick);
      expect(await statusesOf(ids)).toEqual(new Set(["revoked"]));
      const once = ids.map(() => 1);
      expect([await movesTo(ids, "active"), await movesTo(ids, "revoked")]).toEqual([once, once]);
    }
  }, 240_000);

  it("end nothing that is granted anew while both work on it", async () => {
    const first = await bench.decide({ duration: "P10D" });
    await planes.all(tick);
    expect((await bench.read(first)).status).toBe("active");
    let held = first;
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = await bench.decide({ duration: "P10D" });
      await planes.race((process) => (process === 0 ? [revoke(held), tick] : [tick, tick]));
      await planes.all(tick);
      expect([(await bench.read(held)).status, (await bench.read(next)).status]).toEqual(["revoked", "active"]);
      expect((await bench.read(held)).sharedGrant).toBe(true);
      held = next;
    }
  }, 240_000);

  it("are taken over from a process that dies, and nothing is granted twice here", async () => {
    const ids = await decided(0);
    const both = planes.all(tick).catch(() => undefined);
    await planes.kill(0);
    await both;
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await endClaim(world.store, world.a.tenantId);
      world.clock.advance(120_000);
      planes.now = new Date(world.clock.now()).toISOString();
      await planes.run(1, tick);
    }
    expect(await statusesOf(ids)).toEqual(new Set(["active"]));
    expect(await movesTo(ids, "active")).toEqual(ids.map(() => 1));
  }, 120_000);
});
