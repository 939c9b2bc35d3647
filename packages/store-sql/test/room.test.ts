import { StoreError } from "@reeve/core/store";
import { expect, it } from "vitest";
import { Room } from "../src/index.js";

it("O6 a disk counts as full for a while after a write that found no room, and after no other failure", () => {
  let now = 0;
  const room = new Room(() => now);
  room.refused(new StoreError("busy", "locked"));
  expect(room.isFull).toBe(false);
  room.refused(new StoreError("full", "the database cannot grow"));
  now = 9_999;
  expect(room.isFull).toBe(true);
  now = 10_000;
  expect(room.isFull).toBe(false);
  room.refused(new StoreError("full", "the database cannot grow"));
  room.accepted();
  expect(room.isFull).toBe(false);
});
