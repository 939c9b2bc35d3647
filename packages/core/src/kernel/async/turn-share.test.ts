import { expect, it } from "vitest";
import { yieldToEventLoop } from "#store/event-loop.js";
import { leaveTurn, placeInTurn } from "./turn-share.js";

/** Holds the event loop for longer than requests may begin in one turn. */
function hold(): void {
  for (const end = performance.now() + 12; performance.now() < end; );
}

/** Answers requests that note their names, and other work that does. */
function noted() {
  const done: string[] = [];
  const request = async (name: string, work: () => unknown = hold) => {
    const it = { name };
    await placeInTurn(it);
    await Promise.resolve();
    const later = work();
    done.push(name);
    leaveTurn(it);
    await later;
  };
  const other = (name: string) => setImmediate(() => done.push(name));
  return { done, request, other };
}

it("lets other work run between requests that arrive together, in the order of arrival", async () => {
  const { done, request, other } = noted();
  const requests = ["first", "second", "third"].map((name) => request(name));
  other("between");
  await Promise.all(requests);
  expect(done).toEqual(["first", "between", "second", "third"]);
});

it("lets other work run between requests that follow one another", async () => {
  const { done, request, other } = noted();
  await request("first");
  other("between");
  await request("second");
  await request("third");
  expect(done).toEqual(["first", "between", "second", "third"]);
});

it("gives a place to requests that arrive while another is at work", async () => {
  const { done, request } = noted();
  const first = request("first", () => {
    const later = request("later");
    hold();
    return later;
  });
  await Promise.all([first, request("second")]);
  expect(done).toEqual(["first", "second", "later"]);
});

it("counts what a request does before the next one begins", async () => {
  const { done, request, other } = noted();
  const short = () => undefined;
  hold();
  await request("opens a turn", short);
  const requests = [request("long"), request("after it", short)];
  other("between");
  await Promise.all(requests);
  expect(done).toEqual(["opens a turn", "long", "between", "after it"]);
});

it("lets short requests that follow one another begin in one turn", async () => {
  const { done, request, other } = noted();
  const short = () => undefined;
  hold();
  await request("opens a turn", short);
  other("other");
  await request("second", short);
  await request("third", short);
  await yieldToEventLoop();
  expect(done).toEqual(["opens a turn", "second", "third", "other"]);
});
