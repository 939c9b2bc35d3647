import { expect, it } from "vitest";
import { wantsNewest } from "./http.js";

const request = (value: string | readonly string[] | undefined) => ({
  method: "GET",
  target: "/",
  headers: { "cache-control": value },
  body: async () => undefined,
});

it.each([
  [undefined, false],
  ["no-store", false],
  ["max-age=0, No-Cache", true],
  [["no-store"], false],
  [["no-store", "no-cache"], true],
  [["no-cache", "no-cache"], true],
])("Cache-Control %j asks for the newest: %s", (value, wants) => {
  expect(wantsNewest(request(value))).toBe(wants);
});
