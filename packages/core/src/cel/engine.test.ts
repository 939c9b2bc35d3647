import { describe, expect, it } from "vitest";
import { manualClock } from "../ports/clock.js";
import { ExpressionError, type ObjectType, type Vocabulary } from "../ports/expressions.js";
import { celEngine } from "./engine.js";

const Tool: ObjectType = {
  name: "Tool",
  fields: {
    name: { type: "string", description: "Its name." },
    effects: { type: { list: "string" }, values: ["reads", "destructive"], description: "What it may do." },
    requiresApproval: { type: "bool", description: "Whether somebody is asked." },
  },
};
const Asset: ObjectType = {
  name: "Asset",
  fields: {
    name: { type: "string", description: "Its name." },
    environment: { type: "string", values: ["production", "test"], description: "Where it runs." },
    ageDays: { type: "int", volatile: true, description: "Days since it was registered." },
    score: { type: "double", description: "A score." },
    metadata: { type: "map", description: "What is kept for its owner." },
    seenAt: { type: "time", optional: true, description: "When it was last seen." },
    tools: { type: { list: Tool }, description: "What it uses." },
  },
};
const vocabulary: Vocabulary = {
  asset: { type: { object: Asset }, description: "The asset." },
  params: { type: "map", description: "The policy's parameters." },
};

const environment = celEngine({ clock: manualClock("2026-01-11T12:00:00.000Z") }).environment(vocabulary);
const tool = { name: "drop", effects: ["destructive"], requiresApproval: false };
const asset = {
  name: "Support agent",
  environment: "production",
  ageDays: 12,
  score: 0.5,
  metadata: { impactAssessment: true, days: 3, nested: { list: [1, 2] } },
  seenAt: "2026-01-01T00:00:00.000Z",
  tools: [tool],
};

const manyTools = (count: number) => Array.from({ length: count }, (_, at) => ({ ...tool, name: `tool ${at}` }));

/** Nested maps, `depth` of them in all. */
function nested(depth: number): object {
  return depth === 1 ? {} : { a: nested(depth - 1) };
}

function run(source: string, values: object = {}): boolean {
  const compiled = environment.compile(source);
  if (!compiled.ok) throw new Error(`${compiled.fault.code}: ${compiled.fault.message}`);
  return compiled.program.run(
    environment.values({ asset: { ...asset, ...values }, params: { graceDays: 10, list: ["destructive"] } }),
  );
}

describe("an expression", () => {
  it.each([
    ['asset.environment == "production"', true],
    ["asset.ageDays > int(params.graceDays)", true],
    ["asset.ageDays == 12 && asset.score >= 0.5", true],
    ['asset.tools.all(t, !("destructive" in t.effects) || t.requiresApproval)', false],
    ['asset.tools.exists(t, t.name == "drop")', true],
    ["has(asset.metadata.impactAssessment) && asset.metadata.impactAssessment == true", true],
    ["asset.metadata.days == 3 && asset.metadata.nested.list[1] == 2", true],
    ["has(asset.metadata.absent)", false],
    ["daysSince(asset.seenAt) == 10", true],
    ['asset.seenAt < timestamp("2026-01-02T00:00:00Z")', true],
    ['asset.name.like("Support*") && asset.name.lowerAscii() == "support agent"', true],
    ['semverLt("1.9.0", "1.10.0-beta.1") && !semverLt("1.0.0", "1.0.0-rc.1")', true],
    [
      "asset.metadata.days + 1 == 4 && asset.name + '!' == 'Support agent!' && int(params.graceDays) + asset.ageDays == 22",
      true,
    ],
    ["asset.tools.all(t, t.effects.all(e, e in params.list))", true],
    ["size(asset.tools) == 1 && asset.tools.map(t, t.name).size() == 1", true],
  ])("%s is %s", (source, expected) => {
    expect(run(source)).toBe(expected);
  });

  it.each([
    ["asset.name == ", "syntax", 1, 15],
    ["asset.nmae == 'x'", "unknown_name", 1, 7],
    ["true &&\n  asset.tools.exists(t, t.nmae == 'x')", "unknown_name", 2, 27],
    ["asest.name == 'x'", "unknown_name", 1, 1],
    ["asset.ageDays > 'x'", "type_mismatch", 1, 1],
    ["asset.name", "not_boolean", 1, 1],
    ["asset.environment == 'prodction'", "impossible_value", 1, 22],
    ["!(asset.environment in ['test', 'staging'])", "impossible_value", 1, 33],
    ["asset.tools.exists(t, 'destroys' in t.effects)", "impossible_value", 1, 23],
    ["asset.tools.exists(t, t.effects.exists(e, e == 'destroys'))", "impossible_value", 1, 48],
    ["asset.name.matches('(a+)+$')", "unknown_function", 1, 1],
    ["cel.bind(x, asset.name + asset.name, x == '')", "unknown_function", 1, 1],
    ["asset.__proto__ == 1", "unknown_name", 1, 7],
    ["asset.constructor == 1", "unknown_name", 1, 7],
    ["asset.tools.all(a, asset.tools.all(b, asset.tools.all(c, true)))", "too_complex", 1, 58],
    ["(asset.tools + asset.tools).all(t, t.requiresApproval)", "too_complex", 1, 2],
    ["(params.a + params.b).all(x, x == 1)", "too_complex", 1, 2],
    ["asset.tools.all(a, asset.tools.all(b, a.name in b.effects))", "too_complex", 1, 39],
    [`${"(".repeat(40)}true${")".repeat(40)}`, "too_complex", 1, 32],
    [Array(300).fill("true").join(" && "), "too_complex", 1, 1],
    [`[${Array(65).fill("1").join(",")}].size() == 0`, "too_complex", 1, 1],
    [`asset.name == "${"é".repeat(2_050)}"`, "too_long", 1, 1],
    ["", "syntax", 1, 1],
  ])("%s is refused: %s", (source, code, line, column) => {
    const compiled = environment.compile(source);
    expect(compiled).toMatchObject({ ok: false, fault: { code } });
    if (code !== "too_complex" && !compiled.ok) expect(compiled.fault).toMatchObject({ line, column });
  });

  it.each([
    ["asset.nmae == 'x'", "name"],
    ["true && asset.tools.exists(t, t.nmae == 'x')", "name"],
    ["asest.name == 'x'", "asset"],
  ])("%s is refused with the name that was meant: %s", (source, name) => {
    const compiled = environment.compile(source);
    expect(compiled).toMatchObject({
      ok: false,
      fault: { message: expect.stringContaining(`Did you mean "${name}"?`) },
    });
  });

  it.each([
    ["params.absent > 3", {}],
    ["daysSince(asset.seenAt) > 1", { seenAt: null }],
    ["asset.tools.all(t, t.requiresApproval)", { tools: Array(257).fill(tool) }],
    ["has(asset.metadata.many)", { metadata: { inner: { many: Array(257).fill(1) } } }],
    ["has(asset.metadata.a)", { metadata: Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`k${i}`, i])) }],
    ["semverLt(asset.name, '1.0.0')", {}],
    ["asset.metadata.days.like('x')", {}],
    ["asset.ageDays / 0 == 1", {}],
    ["asset.name.like('*x')", { name: "y".repeat(10_001) }],
    ["has(asset.metadata.a)", { metadata: nested(13) }],
    ["asset.name.contains(asset.metadata.part)", { name: "a".repeat(10_000), metadata: { part: "a".repeat(4_000) } }],
    [
      "asset.tools.all(t, asset.tools.all(u, t.name <= u.name && u.name >= t.name)) || true",
      { tools: Array(256).fill(tool) },
    ],
    ["duration(asset.name) > duration('1h')", { name: "1".repeat(65) }],
    ["daysSince(asset.seenAt + duration('87600000h')) > 1", {}],
  ])(
    "%s has no result where a value is absent, too large or of another type, or it is too expensive",
    (source, values) => {
      expect(() => run(source, values)).toThrow(ExpressionError);
    },
  );

  it.each([
    ["asset.name != ''", { metadata: nested(13) }],
    ["asset.name != ''", { tools: Array(257).fill(tool) }],
    ["has(asset.metadata.a)", { metadata: nested(12) }],
    ["asset.tools.all(t, asset.tools.exists_one(u, u.name == t.name))", { tools: manyTools(256) }],
  ])("%s has one where nothing that it reads is too large, and not too expensive", (source, values) => {
    expect(run(source, values)).toBe(true);
  });

  it("draws on what it may cost together with others", () => {
    const compiled = environment.compile("asset.tools.all(t, asset.tools.exists(u, u.name == t.name))");
    const plain = environment.compile("asset.name != ''");
    if (!compiled.ok || !plain.ok) throw new Error("they do not compile");
    const values = environment.values({ asset: { ...asset, tools: manyTools(100) } });
    const allowance = { steps: 100_000 };
    const left: number[] = [];
    for (const { program } of [plain, compiled, compiled, plain, compiled]) {
      expect(program.run(values, allowance)).toBe(true);
      left.push(100_000 - allowance.steps);
    }
    const [nothing, once, twice, same, thrice] = left as [number, number, number, number, number];
    expect([nothing, twice, same, thrice]).toEqual([0, 2 * once, 2 * once, 3 * once]);
    expect(once).toBeGreaterThan(5_050);
    const rest = { steps: once - 1 };
    expect(() => compiled.program.run(values, rest)).toThrow("more steps than it may");
    expect(() => plain.program.run(values, rest)).toThrow("more steps than it may");
    expect(plain.program.run(values)).toBe(true);
  });

  it("tells what it reads, also through the variables of comprehensions, and whether time moves it", () => {
    const reads = (source: string) => {
      const compiled = environment.compile(source);
      return compiled.ok ? [compiled.program.reads, compiled.program.readsTime] : compiled.fault;
    };
    expect(reads("asset.tools.all(t, t.requiresApproval || t.effects.size() == 0) && params.x == 1")).toEqual([
      ["asset.tools[].effects", "asset.tools[].requiresApproval", "params.x"],
      false,
    ]);
    expect(reads("asset.ageDays > 3")).toEqual([["asset.ageDays"], true]);
    expect(reads("daysSince(asset.seenAt) > 3")).toEqual([["asset.seenAt"], true]);
    expect(reads("true")).toEqual([[], false]);
  });

  it.each([
    ['(asset.name == "x" ? asset : asset).environment == "test"', ["asset", "asset.name"]],
    ['asset.tools.filter(t, t.requiresApproval)[0].name == "x"', ["asset.tools", "asset.tools[].requiresApproval"]],
    [
      'asset.tools.map(t, t)[0].name == "x" && asset.tools[0].requiresApproval',
      ["asset.tools[]", "asset.tools[].requiresApproval"],
    ],
    ['size(asset.tools) > 1 && asset.tools.size() < 9 && asset.tools[0].name == "x"', ["asset.tools[].name"]],
    [
      'asset.metadata.kind == "x" && asset.metadata[params.key] == "y"',
      ["asset.metadata.kind", "asset.metadata[]", "params.key"],
    ],
  ])("%s reads %j, with objects of which it may read anything", (source, paths) => {
    const compiled = environment.compile(source);
    expect(compiled.ok ? compiled.program.reads : compiled.fault).toEqual(paths);
  });

  it.each([
    ["[asset].exists(a, a.ageDays > 3)", true],
    ["[asset][0].ageDays > 3", true],
    ['(asset.name == "x" ? asset : asset).ageDays > 3', true],
    ['{"one": asset}["one"].ageDays > 3 && asset.name == "x"', true],
    ["[asset].filter(a, true)[0].ageDays > 3", true],
    ["asset[params.field] > 3", true],
    ['asset["age" + "Days"] > 3', true],
    ["asset.tools.filter(t, t.requiresApproval).size() > 0 && asset.tools[0].name == params.name", false],
    ['asset["name"] == "x"', false],
  ])("%s is moved by time: %s, also where what it reads goes by another path", (source, isMoved) => {
    const compiled = environment.compile(source);
    expect(compiled.ok ? compiled.program.readsTime : compiled.fault).toBe(isMoved);
  });
});

describe("what an expression asks first", () => {
  const requires = (source: string) => {
    const compiled = environment.compile(source);
    return compiled.ok ? compiled.program.requires : compiled.fault;
  };

  it.each([
    'asset.environment == "production"',
    '"production" == asset.environment',
    'asset.environment == "production" && asset.ageDays > 3 && asset.metadata.days > 3',
    '(asset.environment == "production" && asset.metadata.none) && true',
  ])("%s is false with another text", (source) => {
    expect(requires(source)).toEqual({ path: ["asset", "environment"], text: "production" });
    expect(run(source, { environment: "test", metadata: {} })).toBe(false);
  });

  it.each([
    // Read later, or only in part of the cases.
    'asset.ageDays > 3 && asset.environment == "production"',
    'asset.environment == "production" || asset.ageDays > 3',
    '!(asset.environment == "production")',
    'asset.environment != "production"',
    // The entries of free maps may not be readable.
    'asset.metadata.kind == "x"',
    'params.kind == "x"',
    'asset.tools[0].name == "drop"',
    "asset.environment == asset.name",
    "asset.ageDays == 3",
  ])("is not told of %s", (source) => {
    expect(requires(source)).toBeUndefined();
  });

  it("leaves to the engine what is absent or unusable", () => {
    expect(() => run('asset.environment == "production"', { environment: null })).toThrow(ExpressionError);
    expect(() => run('asset.environment == "production"', { environment: 3 })).toThrow(ExpressionError);
  });
});

describe("values", () => {
  const held = (source: string, ...values: Parameters<typeof environment.values>) => {
    const compiled = environment.compile(source);
    return compiled.ok && compiled.program.run(environment.values(...values));
  };

  it("are converted when they are first read, and once", () => {
    let read = 0;
    const input = {
      get asset() {
        read += 1;
        return asset;
      },
      params: { days: 3 },
    };
    const values = environment.values(input);
    const [ofParams, ofAsset] = ["params.days == 3", 'asset.name != ""'].map((source) => environment.compile(source));
    expect(ofParams?.ok && ofParams.program.run(values)).toBe(true);
    expect(read).toBe(0);
    expect(ofAsset?.ok && [ofAsset.program.run(values), ofAsset.program.run(values)]).toEqual([true, true]);
  });

  it("that are added come before those below, which stay where none is added", () => {
    const below = environment.values({ asset, params: { days: 3 } });
    expect(held("params.days == 4 && asset.ageDays == 12", { params: { days: 4 } }, below)).toBe(true);
    expect(held("params.days == 3", { params: undefined }, below)).toBe(true);
    expect(() => held("params.days == 3", { params: 5 }, below)).toThrow(ExpressionError);
  });
});

describe("what the library says otherwise than the language", () => {
  it.each([
    ["'\u00c4B\u212a'.lowerAscii() == '\u00c4b\u212a'", true],
    ["'\u00e4b\u00df'.upperAscii() == '\u00e4B\u00df'", true],
    ["duration('1s') - duration('2.5s') == duration('-1.5s')", true],
    ["duration('-1.5s') + duration('0s') == duration('-1.5s')", true],
    ["duration('-90m') == duration('-1h30m') && duration('-1.5s') < duration('0s')", true],
    ["asset.seenAt - duration('1.5s') + duration('1500ms') == asset.seenAt", true],
    ["asset.seenAt - (asset.seenAt + duration('1.5s')) == duration('-1.5s')", true],
    ["[].all(x, x > 1) && ![].exists(x, x > 1) && {}.all(x, x > 1)", true],
    ["[].filter(x, x > 1).size() == 0", true],
    ["int('-7') == -7 && int('+7') == 7 && int('007') == 7 && int(7.9) == 7", true],
    ["uint('7') == 7u && bool('true') && !bool('0')", true],
    ["double('1e3') == 1000.0 && double('.5') == 0.5 && double('-2') == -2.0", true],
    ["timestamp('2024-02-29T23:59:59.5+02:00') < timestamp('2024-03-01T00:00:00Z')", true],
  ])("%s is %s", (source, expected) => expect(run(source)).toBe(expected));

  const CONVERSIONS: Readonly<Record<string, readonly string[]>> = {
    int: ["", " ", " 7", "7 ", "0x10", "0X10", "0b1", "0o7", "1e3", "7.0", "seven", "9223372036854775808", "\u0667"],
    uint: ["", "-1", "0x10", "0b1", "18446744073709551616", "7u"],
    double: ["", " ", "0x10", "0b1", "0o7", "1e400", "1_000", "7,5", "."],
    bool: ["", "yes", "tRUE", " true"],
    timestamp: [
      "",
      "2026-01-01",
      "2026-01-01T10:00:00",
      "2026-01-01 10:00:00Z",
      "2026-02-30T00:00:00Z",
      "2025-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T10:00+02:00",
      "0000-01-01T00:00:00Z",
      "Nov 28 2026 10:00:00 GMT",
    ],
    duration: ["", "h", ".s", "1", "1 h", "2 days", "1h30", "-", "87660000000h", "1H"],
  };
  const texts = Object.entries(CONVERSIONS).flatMap(([name, list]) => list.map((text) => [name, text] as const));

  it.each(texts)("%s of %j has no result, and is refused when it is written", (name, text) => {
    const source = (operand: string) => `${name}(${operand}) == ${name}(${operand})`;
    expect(environment.compile(source(JSON.stringify(text)))).toMatchObject({
      ok: false,
      fault: { code: "impossible_value" },
    });
    const compiled = environment.compile(source("params.text"));
    if (!compiled.ok) throw new Error(compiled.fault.message);
    expect(() => compiled.program.run(environment.values({ params: { text } }))).toThrow(ExpressionError);
  });

  it.each([
    ["int(params.large) > 0", { large: 1e300 }],
    ["uint(params.below) > 0u", { below: -1.5 }],
  ])("%s has no result past 64 bits", (source, params) => {
    const compiled = environment.compile(source);
    if (!compiled.ok) throw new Error(compiled.fault.message);
    expect(() => compiled.program.run(environment.values({ params }))).toThrow(ExpressionError);
  });

  it("a key is written once in a map, and is not null", () => {
    for (const source of ['{"a": 1, "a": 2}.size() == 1', "{null: 1}.size() == 1"])
      expect(environment.compile(source).ok).toBe(false);
  });
});
