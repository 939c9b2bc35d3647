import { expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const COMPLIANCE = "/api/v1/ai/compliance";

it("tells of one framework what the posture and the report tell, control by control", async () => {
  const world = await createWorld();
  const { token } = world.a.owner;
  const get = async (path: string) => (await world.send("GET", `${COMPLIANCE}${path}`, { token })).json;
  const [{ framework: key }, other] = (await get("/posture")).items;
  const { controls, asOf, ...posture } = await get(`/frameworks/${key}/posture`);
  const { items } = await get("/posture");
  expect(posture).toEqual(items[0]);
  const report = (await get("/report")).frameworks[0];
  expect(controls).toEqual(report.controls);
  expect(controls).toHaveLength(posture.applicable + posture.notApplicable + posture.upcoming);
  expect(Date.parse(asOf)).toBe(world.clock.now());
  await world.send("PUT", `${COMPLIANCE}/frameworks/${key}/adoption`, { token, body: {} });
  expect((await world.send("GET", `${COMPLIANCE}/frameworks/${other.framework}/posture`, { token })).status).toBe(404);
});
