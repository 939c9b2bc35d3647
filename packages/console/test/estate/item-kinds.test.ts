import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ITEM_KINDS } from "../../app/areas/estate/import/item-kinds.js";
import { itemOf } from "../../app/areas/estate/import/item-of.js";
import { partsOf, readLines } from "../../app/areas/estate/import/read-lines.js";

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const description = new URL("../../../../docs/reference/openapi.json", import.meta.url);
const { schemas } = JSON.parse(readFileSync(description, "utf8")).components as { schemas: Record<string, Schema> };
const RECORDS = ["AiAgentRequest", "AiModelRequest", "AiToolRequest", "AiIdentityRequest", "McpServerRequest"];

function resolved({ $ref, allOf = [], ...own }: Schema): Schema {
  const named = $ref === undefined ? [] : [schemas[$ref.slice($ref.lastIndexOf("/") + 1)] as Schema];
  const parts = [...[...named, ...allOf].map(resolved), own];
  return Object.assign({}, ...parts, { properties: Object.assign({}, ...parts.map(({ properties }) => properties)) });
}

function kindOf(given: Schema): string | undefined {
  const { anyOf = [], type, format, properties = {}, enum: terms } = resolved(given);
  const found = anyOf.map(kindOf).find(Boolean);
  if (found) return found;
  if (terms) return "term";
  if (["type", "id", "name"].every((name) => name in properties)) return "party";
  if (format === "date-time") return "time";
  const [plain] = [type].flat().filter((one) => one !== "null");
  return { array: "list", integer: "number", number: "number", boolean: "boolean" }[String(plain)];
}

const propertiesOf = (name: string) => resolved({ $ref: `#/${name}` }).properties ?? {};
const asset = propertiesOf("AiAssetRequest");
const own = Object.entries(Object.assign({}, ...RECORDS.map(propertiesOf)) as Record<string, Schema>);
const named: [string, Schema][] = [
  ...Object.entries(asset),
  ...own.filter(([name]) => !(name in asset)).map(([name, schema]): [string, Schema] => [`record.${name}`, schema]),
].flatMap(([name, schema]): [string, Schema][] => [
  [name, schema],
  ...(kindOf(schema) === undefined
    ? Object.entries(resolved(schema).properties ?? {}).map(([part, inner]): [string, Schema] => [
        `${name}.${part}`,
        inner,
      ])
    : []),
]);

describe("the columns of a table", () => {
  it("stand for what the API describes", () => {
    for (const [kind, names] of Object.entries(ITEM_KINDS)) {
      const described = named.filter(([, schema]) => kindOf(schema) === kind).map(([name]) => name);
      expect(described.sort(), kind).toEqual([...names].sort());
    }
    const terms = named.flatMap(([, schema]) => resolved(schema).enum ?? []);
    expect(terms.filter((term) => !/^[a-z0-9_]+$/.test(String(term)))).toEqual([]);
  });

  it("become an item as the command makes it", () => {
    const header = [
      "name",
      "owner",
      "team",
      "record.modality",
      "labels.a.b",
      "record.limits.maxCostUsd",
      "__proto__.x",
    ];
    const cells = ["Claims", "ada@acme.example", "Claims IT", "text, image", "teal", "12.5", "1"];
    expect(itemOf([...header, "reviewDueAt", "description"], [...cells, "2026-10-02 08:14:55", " "])).toEqual({
      name: "Claims",
      owner: { type: "external", id: "ada@acme.example", name: "ada@acme.example" },
      team: { type: "team", id: "Claims IT", name: "Claims IT" },
      record: { modality: ["text", "image"], limits: { maxCostUsd: 12.5 } },
      labels: { "a.b": "teal" },
      reviewDueAt: "2026-10-02T08:14:55Z",
    });
  });
});

describe("a file", () => {
  const read = (text: string) => readLines(new TextEncoder().encode(text).buffer as ArrayBuffer);
  const table = (...lines: readonly string[]) => read(["externalRef.id;name", ...lines].join("\r\n"));

  it("gives each row the line that it begins at, with cells in quotation marks", () => {
    expect(table('1;"a ""b""; c', 'd"', "", "2;e", "3;f;g", "4;")).toEqual({
      lines: [
        { at: 2, item: { externalRef: { id: "1" }, name: 'a "b"; c\r\nd' } },
        { at: 5, item: { externalRef: { id: "2" }, name: "e" } },
        { at: 7, item: { externalRef: { id: "4" } } },
      ],
      unread: [{ at: 6, why: "too_many_cells" }],
    });
  });

  it.each([
    ["open_quote", 'externalRef.id,name\n1,"a'],
    ["open_quote", 'externalRef.id,name\n1,"a"b'],
    ["column_twice", "externalRef.id,name,name\n1,a,b"],
    ["no_identity", "id,name\n1,a"],
    ["empty", " \n"],
  ])("is refused as %s", (fault, text) => {
    expect(read(text)).toEqual({ fault });
  });

  it("that is no UTF-8 is refused, and one in UTF-16 with a mark is read", () => {
    expect(readLines(new Uint8Array([0x6e, 0xff]).buffer)).toEqual({ fault: "not_utf8" });
    const text = new Uint8Array(Buffer.from('\ufeff{"name":"é"}', "utf16le"));
    expect(readLines(text.buffer)).toEqual({ lines: [{ at: 1, item: { name: "é" } }], unread: [] });
  });

  it("is sent in parts that a request takes", () => {
    const line = (at: number, item: object) => ({ at, item: item as Record<string, unknown> });
    const sizes = (lines: readonly ReturnType<typeof line>[]) => partsOf(lines).map((part) => part.length);
    expect(sizes(Array.from({ length: 1_200 }, (_, at) => line(at, {})))).toEqual([500, 500, 200]);
    expect(sizes(Array.from({ length: 3 }, (_, at) => line(at, { a: "é".repeat(60_000) })))).toEqual([1, 1, 1]);
    expect(sizes(Array.from({ length: 3 }, (_, at) => line(at, { a: Array(4_000).fill(1) })))).toEqual([2, 1]);
    expect(partsOf([])).toEqual([]);
  });
});
