import { expect, inject, it } from "vitest";
import { createWorld } from "../helpers/world.js";

it("the world of this run is kept by the store the run is about", async () => {
  const { store } = await createWorld();
  expect((await store.status()).kind).toBe(inject("store") ?? "memory");
});
