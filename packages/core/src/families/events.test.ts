import { expect, it } from "vitest";
import { joinedEvents } from "./events.js";

it("joins what areas declare, and refuses a type of event that two of them do", () => {
  expect(joinedEvents([{ "a.made": "A" }, { "b.made": "B" }])).toEqual({ "a.made": "A", "b.made": "B" });
  expect(() => joinedEvents([{ "a.made": "A" }, { "a.made": "again" }])).toThrow("the same type");
});
