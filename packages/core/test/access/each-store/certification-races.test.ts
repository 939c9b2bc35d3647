import type { World } from "@reeve/testkit";
import { beforeAll, describe, it } from "vitest";
import {
  closedUnderWay,
  endedUnderWay,
  type Race,
  ROUNDS,
  twoReviewersAtOnce,
} from "../../helpers/certification-races.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});
const race: Race = (runners) =>
  Promise.all(runners.map(({ method, at, token, body }) => world.send(method, at, { token, body })));

describe(`a certification, ${ROUNDS} times each`, () => {
  it("has two reviewers who decide at once", () => twoReviewersAtOnce(world, race), 120_000);
  it("is closed while somebody decides", () => closedUnderWay(world, race), 120_000);
  it("is about access that ends while somebody decides", () => endedUnderWay(world, race), 120_000);
});
