import { randomBytes } from "node:crypto";
import { createControlPlane, createMemoryStore } from "@reeve/core";
import { expect, it } from "vitest";
import { govern } from "../src/govern.js";

it("governs an agent without HTTP", async () => {
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey: randomBytes(32),
    baseUrl: "http://127.0.0.1:3000",
    registration: "open",
  });
  const { agent, refusal, events } = await govern(controlPlane);
  await controlPlane.close();
  expect(agent).toBe("Support agent is in validation");
  expect(refusal).toBe("transition_guard_failed");
  expect(events).toEqual([
    "reeve.request.denied.v1",
    "reeve.asset.lifecycle.changed.v1",
    "reeve.agent.created.v1",
    "reeve.asset.created.v1",
    "reeve.user.created.v1",
    "reeve.tenant.created.v1",
  ]);
});
