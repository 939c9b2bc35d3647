import { expect, it } from "vitest";
import { Room } from "./room.js";

it("is full after a thousand notices, and ends with the process", () => {
  let isOpen = true;
  const room = new Room(() => isOpen);
  room.take(999);
  expect([room.mayGoOn, room.isFull, room.settled]).toEqual([true, false, 999]);
  room.take(25);
  expect([room.mayGoOn, room.isFull, room.settled]).toEqual([false, true, 1_024]);
  const other = new Room(() => isOpen);
  isOpen = false;
  expect([other.mayGoOn, other.isFull]).toEqual([false, false]);
});
