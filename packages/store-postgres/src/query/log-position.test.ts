import { describe, expect, it } from "vitest";
import { LogMoments, positionOf } from "./log-position.js";

const at = (bytes: number, timeline = 1, system = "1") => ({ bytes, timeline, system });

describe("moments of the log", () => {
  it("tell the newest moment of which a standby has all commits", () => {
    const moments = new LogMoments();
    moments.note(10, at(100));
    moments.note(20, at(100));
    moments.note(30, at(150));
    expect(moments.newest).toBe(30);
    expect(moments.reachedBy(at(99))).toBeUndefined();
    expect(moments.reachedBy(at(100))).toBe(20);
    expect(moments.reachedBy(at(149))).toBe(20);
    expect(moments.reachedBy(at(1_000))).toBe(30);
  });

  it("tell nothing of a standby on another timeline, however far it is", () => {
    const moments = new LogMoments();
    moments.note(10, at(100, 2));
    expect(moments.reachedBy(at(1_000, 1))).toBeUndefined();
    expect(moments.reachedBy(at(1_000, 3))).toBeUndefined();
  });

  it("tell nothing of a standby of another installation, on the same timeline and further", () => {
    const moments = new LogMoments();
    moments.note(10, at(100));
    expect(moments.reachedBy(at(1_000, 1, "2"))).toBeUndefined();
    expect(moments.reachedBy(at(1_000))).toBe(10);
  });

  it("are forgotten, the oldest first", () => {
    const moments = new LogMoments();
    for (let moment = 1; moment <= 100; moment++) moments.note(moment, at(moment));
    expect(moments.reachedBy(at(50))).toBeUndefined();
    expect(moments.reachedBy(at(100))).toBe(100);
  });

  it("have no position of a server that is no standby", () => {
    expect(positionOf(undefined)).toBeUndefined();
    expect(positionOf([null, 1, "1"])).toBeUndefined();
    expect(positionOf([100, 1, "1"])).toEqual(at(100));
  });
});
