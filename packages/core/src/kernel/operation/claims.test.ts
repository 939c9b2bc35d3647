import { describe, expect, it } from "vitest";
import { z } from "zod";
import { anyOf, authorityOf, claim, declared, isListed, listed, maySay, office } from "../records/authority.js";
import { observedIn, requireSeen, withinClaims } from "./claims.js";

const Shape = z.object({
  plain: z.string(),
  seen: claim(z.string().nullable().meta({ description: "When." }), "connector", "import"),
  found: claim(z.array(z.object({ at: z.string() })), "connector", "import"),
  said: listed(z.string()),
  owner: office(z.string()),
});
const { shape } = Shape.partial();

describe("the declaration of who says a field", () => {
  it("is found through what wraps the schema, and is of that schema alone", () => {
    const Label = z.string();
    const own = anyOf(Label, "ai_asset", "It opens nothing here.");
    expect(authorityOf(own.optional().nullable())).toMatchObject({ kind: "reference", to: "ai_asset" });
    expect(authorityOf(own.meta({ description: "It." }))).toMatchObject({ kind: "reference" });
    expect(authorityOf(Label)).toBeUndefined();
    expect(authorityOf(declared(own, { kind: "foreign" }))).toMatchObject({ kind: "foreign" });
  });

  it("lets a connected system say only what is declared as listed", () => {
    const may = (sayer: "caller" | "connector" | "import") =>
      Object.keys(shape).filter((name) => maySay(shape[name as keyof typeof shape], sayer));
    expect(may("caller")).toEqual(["plain", "said", "owner"]);
    expect(may("connector")).toEqual(Object.keys(shape));
    expect(Object.values(shape).map(isListed)).toEqual([false, true, true, true, false]);
    expect(may("import")).toEqual(["plain", "seen", "found", "said", "owner"]);
  });
});

describe("a fact in a body", () => {
  const known = { seen: "2026-01-02T00:00:00.000Z", found: [{ at: "a" }, { at: "b" }] };

  it.each([
    [{ seen: null, found: [] }],
    [{ seen: known.seen, found: known.found }],
    [{ seen: "2026-01-01T00:00:00.000Z", found: [{ at: "b" }] }],
  ])("is left out where it only repeats what is known: %j", (given) => {
    expect(withinClaims(shape, { ...given, plain: "x" }, known, "caller")).toEqual({ plain: "x" });
    expect(withinClaims(shape, given, known, "import")).toBe(given);
  });

  it.each([
    ["seen", { seen: "2026-01-03T00:00:00.000Z" }],
    ["found", { found: [{ at: "c" }] }],
  ])("is refused where it says more: %s", (name, given) => {
    expect(() => withinClaims(shape, given, known, "caller")).toThrow(
      expect.objectContaining({
        code: "read_only_property",
        errors: [expect.objectContaining({ pointer: `/${name}` })],
      }),
    );
  });

  it("is told from what says nothing, and lies in the past", () => {
    expect(observedIn(shape, { seen: null, found: [], plain: "x", said: "y" })).toEqual([]);
    expect(observedIn(shape, { seen: "x", found: [{ at: "a" }] })).toEqual(["seen", "found"]);
    const now = "2026-01-02T00:00:00.000Z";
    expect(() => requireSeen(shape, { seen: now, found: [{ at: now }] }, now)).not.toThrow();
    for (const given of [{ seen: "2099-01-01T00:00:00.000Z" }, { found: [{ at: "2099-01-01T00:00:00.000Z" }] }])
      expect(() => requireSeen(shape, given, now)).toThrow("later than now");
  });
});
