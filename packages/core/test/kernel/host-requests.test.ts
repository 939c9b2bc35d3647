import { createMemoryStore, type Store } from "@reeve/core";
import { createPlane } from "@reeve/testkit";
import { expect, it } from "vitest";

/** A store whose server has fallen silent: no call ends. */
function silent(store: Store, isSilent: () => boolean): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (!isSilent() || name === "close") return Reflect.apply(value, target, given) as unknown;
        return name === "forTenant" ? silentReader : new Promise(() => undefined);
      };
    },
  });
}
const silentReader = new Proxy({}, { get: () => () => new Promise(() => undefined) });

const request = (target: string) => ({ method: "GET", target, headers: {}, body: async () => undefined });

it("a request of the host waits for no store, neither before it is ready nor after it has fallen silent", async () => {
  let isSilent = true;
  const { controlPlane, clock } = createPlane({ store: silent(createMemoryStore(), () => isSilent) });
  expect(await controlPlane.handle(request("/orders"))).toBeUndefined();
  isSilent = false;
  expect((await controlPlane.handle(request("/api/v1/monitor/ping")))?.status).toBe(200);
  isSilent = true;
  clock.advance(3_600_000);
  expect(await controlPlane.handle(request("/orders"))).toBeUndefined();
  expect(await controlPlane.handle({ ...request("/orders"), exclusive: true })).toBeUndefined();
});
