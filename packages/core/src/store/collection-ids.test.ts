import { describe, expect, it } from "vitest";
import { resemblesIdOf } from "./collection.js";

const id = "usr_01M8HZFYWTPQNV6HDXH2X312C3";

describe("a text that would be an id", () => {
  it.each([id, id.toLowerCase(), ` ${id} `, `${id}\u200b`, id.replace("0", "\uff10")])("is seen in %j", (text) =>
    expect(resemblesIdOf({ prefix: "usr" }, text)).toBe(true),
  );

  it.each(["employee-7", "usr_7", id.replace("usr", "agt"), ""])("is not seen in %j", (text) =>
    expect(resemblesIdOf({ prefix: "usr" }, text)).toBe(false),
  );
});
