import { createWorld, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { storeAt } from "../helpers/address.js";
import {
  closedUnderWay,
  endedUnderWay,
  type Race,
  ROUNDS,
  twoReviewersAtOnce,
} from "../helpers/certification-races.js";
import { certificationBench } from "../helpers/certifications.js";
import { endClaim } from "../helpers/claims.js";
import { Planes, sending, tick } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const ITEMS = 450;

describe("certifications in two processes on one postgres database", () => {
  let world: World;
  let planes: Planes;
  beforeAll(async () => {
    const address = await emptyDatabase("postgres");
    const store = storeAt(address);
    undoLater(() => store.close());
    const config = { tokenLifetime: 86_400 };
    world = await createWorld({ ...config, store, ids: ulidSource() });
    planes = await Planes.start(2, { address, config });
  });

  const race: Race = async (runners) => {
    planes.now = new Date(world.clock.now()).toISOString();
    return planes.race((process) => {
      const one = runners[process];
      return one ? [sending(one.method, one.at, { token: one.token, body: one.body })] : [];
    });
  };

  it(`has two reviewers who decide at once, ${ROUNDS} times`, () => twoReviewersAtOnce(world, race), 120_000);
  it(`is closed while somebody decides, ${ROUNDS} times`, () => closedUnderWay(world, race), 240_000);
  it(`is about access that ends while somebody decides, ${ROUNDS} times`, () => endedUnderWay(world, race), 120_000);

  it("gathers each assignment once although both processes work, and one of them dies", async () => {
    const bench = await certificationBench(world);
    const { token } = world.a.owner;
    const active = "/api/v1/access-assignments?status=active&size=1";
    const inForce = async () => (await world.send("GET", active, { token })).json.totalItems as number;
    const before = await inForce();
    for (let at = 0; at < ITEMS; at += 1) await bench.decide({ duration: "P100D", parameters: { at } });
    // How many grants one tick makes depends on the time that it has.
    while ((await inForce()) < before + ITEMS) await world.controlPlane.tick();
    const body = { scope: { assetIds: [bench.assetId] } };
    const { json } = await world.send("POST", "/api/v1/access-certifications", { token, body });
    planes.now = new Date(world.clock.now()).toISOString();
    const both = planes.all(tick).catch(() => undefined);
    await planes.kill(0);
    await both;
    await endClaim(world.store, world.a.tenantId);
    world.clock.advance(120_000);
    planes.now = new Date(world.clock.now()).toISOString();
    // How far the dead process had come decides how many ticks the rest takes.
    const asked = async () => (await bench.campaign(json.id)).counts.pending ?? 0;
    while ((await asked()) < ITEMS) await planes.run(1, tick);
    await planes.run(1, tick);
    expect(await bench.campaign(json.id)).toMatchObject({ status: "active", counts: { pending: ITEMS } });
  }, 120_000);
});
