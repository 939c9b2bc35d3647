import { createWorld, type World } from "@reeve/testkit";
import { beforeAll, describe, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { storeAt } from "../helpers/address.js";
import type { Race } from "../helpers/certification-races.js";
import { Planes, sending } from "../helpers/planes.js";
import {
  allowedAtOnce,
  approvedTwice,
  askedTwice,
  changedUnderVote,
  decidedBothWays,
  supersededUnderVote,
} from "../helpers/request-races.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

describe("requests for access in two processes on one postgres database", () => {
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

  it("makes one of two that ask for the same", () => askedTwice(world, race), 120_000);
  it("allows no more at once than a policy does", () => allowedAtOnce(world, race), 120_000);
  it("is approved once when two approve at once", () => approvedTwice(world, race), 120_000);
  it("is decided one way when people decide both ways at once", () => decidedBothWays(world, race), 120_000);
  it("is granted by no vote about something else", () => changedUnderVote(world, race), 120_000);
  it("is not granted when another one takes its place", () => supersededUnderVote(world, race), 120_000);
});
