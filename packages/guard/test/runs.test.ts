import { join } from "node:path";
import * as ai from "ai";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { aiSdk } from "./drivers/ai-sdk.js";
import { langchain, langchainStream } from "./drivers/langchain.js";
import { mcp } from "./drivers/mcp.js";
import { plain } from "./drivers/plain.js";
import { CUT_OFF, cutOffInMidCall } from "./story/mid-call.js";
import { OVER_A_RESTART, overARestart } from "./story/restart.js";
import { type Known, WAYS, World } from "./story/world.js";

const drivers = [plain, langchain, aiSdk(ai, "6"), mcp];

let world: World;
let known: Known;
beforeAll(async () => {
  world = await World.open();
  known = await world.fill();
});
afterAll(() => world.close());

describe("a session that is terminated while a tool runs", () => {
  const all = [...drivers, langchainStream, aiSdk(ai, "6", "streamText")];
  it.each(all.flatMap((driver) => WAYS.map((way) => ({ driver, way, name: driver.name }))))(
    "ends the run of $name $way, and the model is asked nothing more",
    async ({ driver, way }) => expect(await cutOffInMidCall(world, driver, way, known)).toEqual(CUT_OFF),
  );
});

it("an approval is used once after Reeve and the agent were started again", async () => {
  const told = await overARestart(drivers, join(inject("temporaryFolder"), "guard-restart.sqlite"));
  expect(told).toHaveLength(drivers.length * WAYS.length);
  expect(told.filter(([, one]) => JSON.stringify(one) !== JSON.stringify(OVER_A_RESTART))).toEqual([]);
});
