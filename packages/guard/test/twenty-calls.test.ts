import * as ai from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aiSdk } from "./drivers/ai-sdk.js";
import { langchain } from "./drivers/langchain.js";
import { mcp } from "./drivers/mcp.js";
import { plain } from "./drivers/plain.js";
import { TWENTY } from "./story/twenty-calls.js";
import { type Known, WAYS, World } from "./story/world.js";

let world: World;
let known: Known;
beforeAll(async () => {
  world = await World.open();
  known = await world.fill();
});
afterAll(() => world.close());

describe.each(WAYS)("%s", (way) => {
  describe.each([plain, langchain, aiSdk(ai, "6"), mcp])("through $name", (driver) => {
    it.each(TWENTY)("%s", async (what, expected, play) => {
      expect(await play({ world, driver, way, known, to: `${what} ${driver.name} ${way}` })).toEqual(expected);
    });
  });
});
