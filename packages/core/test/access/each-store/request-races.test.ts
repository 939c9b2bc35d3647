import type { World } from "@reeve/testkit";
import { beforeAll, describe, it } from "vitest";
import type { Race } from "../../helpers/certification-races.js";
import {
  allowedAtOnce,
  approvedTwice,
  askedTwice,
  changedUnderVote,
  decidedBothWays,
  supersededUnderVote,
} from "../../helpers/request-races.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});
const race: Race = (runners) =>
  Promise.all(runners.map(({ method, at, token, body }) => world.send(method, at, { token, body })));

describe("a request", () => {
  it("is made once when two ask at once", () => askedTwice(world, race), 120_000);
  it("passes no more at once than a policy allows", () => allowedAtOnce(world, race), 120_000);
  it("is approved once when two approve at once", () => approvedTwice(world, race), 120_000);
  it("is decided one way when people decide both ways at once", () => decidedBothWays(world, race), 120_000);
  it("is granted by no vote about something else", () => changedUnderVote(world, race), 120_000);
  it("is not granted when another one takes its place", () => supersededUnderVote(world, race), 120_000);
});
