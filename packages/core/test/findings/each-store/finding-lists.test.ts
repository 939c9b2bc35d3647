import { expect, it } from "vitest";
import { FINDINGS, findingsOf } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

it("a finding is in the filter of overdue ones from its due date on, before any tick and after it", async () => {
  const world = await createWorld({ tokenLifetime: 86_400 });
  const at = findingsOf(world);
  const { id, assetId, dueAt } = await at.found({ severity: "critical" });
  let who = world.a.owner;
  const list = async (slaBreached: boolean) => {
    const { json } = await at.ask("GET", `${FINDINGS}?assetId=${assetId}&slaBreached=${slaBreached}`, undefined, who);
    return [json.totalItems, json.items.map((item: { id: string }) => item.id)];
  };
  expect(await list(false)).toEqual([1, [id]]);
  world.clock.set(dueAt as string);
  const { username, password, userId } = world.a.owner;
  who = { ...who, ...(await world.a.signIn(userId, { username, password })) };
  for (let round = 0; round < 2; round += 1) {
    expect(await list(true)).toEqual([1, [id]]);
    expect(await list(false)).toEqual([0, []]);
    await world.controlPlane.tick();
  }
});
