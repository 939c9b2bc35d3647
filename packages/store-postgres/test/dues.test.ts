import { createPlane } from "@reeve/testkit";
import { expect, it } from "vitest";
import { freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

it("a tick with nothing due is at most five statements, however many tenants there are", async () => {
  const { url } = await freshStore();
  const way = await openWay(url);
  const { controlPlane, clock } = createPlane({ store: openStore(way.url, { directUrl: url }) });
  const tick = () => {
    clock.advance(60_000);
    return controlPlane.tick();
  };
  for (const tenants of [1, 12]) {
    for (let at = 0; at < tenants; at++)
      await controlPlane.ensureTenant({ externalId: `t-${at}`, name: `Tenant ${at}` });
    await tick();
    await tick();
    const asked = way.strike();
    expect(await tick()).toEqual({ done: 0, failed: 0 });
    expect(asked.statements).toBeGreaterThan(0);
    expect(asked.statements).toBeLessThanOrEqual(5);
  }
});
