import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY, FINDINGS, findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const byDay = (query = "") => findingsOf(world).ask("GET", `${FINDINGS}/by-day${query}`);
const dayAgo = (days: number) => new Date(world.clock.now() - days * DAY).toISOString().slice(0, 10);

/** Lets a day pass, and signs the owner in again. */
async function passDay(): Promise<void> {
  world.clock.advance(DAY);
  const { actors } = world.a;
  actors.owner = await world.a.signIn(actors.owner.userId, actors.owner);
}

/** An evaluation finds assets of a provider to be without a team. */
async function find(severity: string, assets: number): Promise<void> {
  const provider = world.a.unique();
  await world.a.newPolicy("posture", {
    ...{ severity, status: "observe" },
    selector: { expression: `asset.provider == "${provider}"` },
    rules: [{ key: "has-team", assert: "asset.hasTeam", message: "No team." }],
    tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
  });
  for (let made = 0; made < assets; made += 1) await world.a.newAsset({ provider });
  await world.send("POST", "/api/v1/ai-governance/evaluations/run", { token: world.a.owner.token });
}

describe("findings by day", () => {
  it("are those open at the end of each day, and now, by their severity", async () => {
    await find("high", 1);
    await find("low", 2);
    await passDay();
    await find("low", 1);
    await passDay();
    const { ask, review } = findingsOf(world);
    const { items: high } = (await ask("GET", `${FINDINGS}?severity=high`)).json;
    await review(
      high[0].id,
      { action: "override_severity", severity: "info", reason: REASON },
      world.a.actors.approver,
    );
    const { json } = await byDay(`?from=${dayAgo(3)}`);
    expect(json.items).toMatchObject([
      { day: dayAgo(3), open: { high: 0, low: 0 }, found: { high: 0 } },
      { day: dayAgo(2), open: { high: 1, low: 2, critical: 0 }, found: { high: 1, low: 2 }, resolved: { high: 0 } },
      { day: dayAgo(1), open: { high: 1, low: 3 }, found: { high: 0, low: 1 } },
      { day: dayAgo(0) },
    ]);
    const { bySeverity } = (await findingsOf(world).ask("GET", "/api/v1/ai-governance/dashboard/summary")).json
      .findings;
    const open = Object.entries(json.items.at(-1).open).filter(([, count]) => count !== 0);
    expect(Object.fromEntries(open)).toEqual(bySeverity);
  });

  it("cover ninety days unless asked for others, and none that lie ahead", async () => {
    expect((await byDay()).json.items).toHaveLength(90);
    for (const query of [`?to=${dayAgo(-1)}`, `?from=${dayAgo(1)}&to=${dayAgo(2)}`, `?from=${dayAgo(366)}`])
      expect((await byDay(query)).status).toBe(400);
  });

  it("are unknown, and not zero, on days whose counts are not kept", async () => {
    world = await createWorld({ retentionDays: { findingDays: 2 } });
    const { items } = (await byDay(`?from=${dayAgo(3)}`)).json;
    expect(items.map(({ open }: { open: object | null }) => open === null)).toEqual([true, false, false, false]);
  });
});
