import { expect, it } from "vitest";
import { Run, type Way } from "./run.js";
import { ARRIVAL, type Tools, takeSteps, WORK } from "./steps.js";

const STEPS = [...ARRIVAL, ...WORK];

/** The names of the steps that a run of a way takes, in the order in which it takes them. */
async function takenOn(way: Way): Promise<string[]> {
  const taken: string[] = [];
  const noted = STEPS.map((step) => ({ ...step, take: () => void taken.push(step.name) }));
  await takeSteps(noted, new Run({ way, identify: () => undefined } as never), {} as Tools);
  return taken;
}

it("requests, calls and admissions take the same steps in the same order, each without those that it has no need of", async () => {
  const order = STEPS.map(({ name }) => name);
  const ofHttp = ["read the request", "refuse forms of other sites", "read a body of another form", "spend the quota"];
  const ofInput = ["parse the input", "refuse unknown fields", "execute"];
  const without = (...names: string[]) => order.filter((name) => !names.includes(name));
  expect(await takenOn("request")).toEqual(without("refuse what no store keeps"));
  expect(await takenOn("call")).toEqual(without(...ofHttp, "check the conditions", "find a repeated request"));
  expect(await takenOn("admission")).toEqual(without(...order.slice(order.indexOf("check the access") + 1), ...ofHttp));
  expect(order).toEqual(expect.arrayContaining(ofInput));
  expect(new Set(order).size).toBe(order.length);
});

it("who asks, their tenant and their access are checked on every way, before anything of theirs is read", async () => {
  const checked = ["identify the caller", "admit the tenant", "bind the facts", "check the access"];
  for (const way of ["request", "call", "admission"] as const) {
    const taken = await takenOn(way);
    expect(taken.filter((name) => checked.includes(name))).toEqual(checked);
    expect(taken.indexOf("check the access")).toBeLessThan([...taken, "parse the input"].indexOf("parse the input"));
  }
});
