import { createPlane } from "@reeve/testkit";
import { expect, it } from "vitest";

// Addresses that a process counts alone are in no store, so that one kind of store is enough.
it("forgets the addresses that were heard of least when there are very many", async () => {
  const { send } = createPlane({ rateLimits: { address: 1_000 } });
  const ask = (remoteAddress: string) => send("GET", "/.well-known/jwks.json", { remoteAddress });
  const remaining = async (remoteAddress: string) =>
    Number(/"address";r=(\d+)/.exec((await ask(remoteAddress)).headers.ratelimit as string)?.[1]);
  await ask("192.0.2.1");
  expect(await remaining("192.0.2.1")).toBe(998);
  for (let site = 0; site < 100; site++) {
    const networks = Array.from({ length: 200 }, (_, at) => `2001:db8:${site.toString(16)}:${at.toString(16)}::1`);
    await Promise.all(networks.map(ask));
  }
  expect(await remaining("192.0.2.1")).toBe(999);
});
