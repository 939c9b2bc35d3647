import { expect, it } from "vitest";
import { placeInTurn } from "./turn-share.js";

/** Holds the event loop for longer than requests may begin in one turn. */
function hold(): void {
  for (const end = performance.now() + 12; performance.now() < end; );
}

it("lets other work run between requests that arrive together, in the order of arrival", async () => {
  const done: string[] = [];
  const request = async (name: string) => {
    await placeInTurn();
    await Promise.resolve();
    hold();
    done.push(name);
  };
  const other = (name: string) => setImmediate(() => done.push(name));
  const requests = ["first", "second", "third"].map(request);
  other("between");
  await Promise.all(requests);
  expect(done).toEqual(["first", "between", "second", "third"]);
});

it("gives a place to requests that arrive while another is at work", async () => {
  const done: string[] = [];
  let later: Promise<void> | undefined;
  const request = async (name: string) => {
    await placeInTurn();
    later ??= request("later");
    hold();
    done.push(name);
  };
  await Promise.all([request("first"), request("second")]);
  await later;
  expect(done).toEqual(["first", "second", "later"]);
});
