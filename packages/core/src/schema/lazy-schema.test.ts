import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as zod from "zod";
import { LazySchema, realSchema, SchemaNotes } from "./lazy-schema.js";
import * as makers from "./makers.js";
import { z } from "./z.js";

/** Functions of zod that are no makers of schemas from others. */
const OTHERS = ["toJSONSchema", "fromJSONSchema", "safeParse", "prettifyError", "registry", "regexes"];

it("makes a schema when it is first used, once", () => {
  const made: string[] = [];
  const lazy = z.object({ name: z.string().refine((name) => made.push(name) > 0) }).meta({ id: "Named" });
  expect(lazy).not.toBe(realSchema(lazy));
  expect(lazy.parse({ name: "a" })).toEqual({ name: "a" });
  expect(realSchema(lazy)).toBe(realSchema(lazy));
  expect(made).toEqual(["a"]);
});

it("is an instance of the class of its schema, and answers as it does", () => {
  const lazy = z.strictObject({ at: z.iso.datetime().optional(), kind: z.enum(["a", "b"]) });
  expect(lazy instanceof z.ZodObject).toBe(true);
  expect(lazy.shape.at instanceof z.ZodOptional).toBe(true);
  expect(lazy.shape.kind.options).toEqual(["a", "b"]);
  expect(lazy.safeParse({ kind: "c" }).success).toBe(false);
  expect(zod.toJSONSchema(realSchema(lazy) as zod.ZodType)).toEqual(
    zod.toJSONSchema(zod.strictObject({ at: zod.iso.datetime().optional(), kind: zod.enum(["a", "b"]) })),
  );
});

it.each<[string, (of: typeof zod.z) => zod.ZodObject]>([
  ["extend", (of) => of.object({ a: of.string() }).extend({ b: of.int() })],
  ["pick", (of) => of.object({ a: of.string(), b: of.int() }).pick({ b: true, a: true })],
  ["omit", (of) => of.object({ a: of.string(), b: of.int() }).omit({ a: true })],
  ["partial", (of) => of.object({ a: of.string(), b: of.int() }).partial()],
  ["partial of some", (of) => of.object({ a: of.string(), b: of.int() }).partial({ a: true })],
  [
    "what holds itself",
    (of) =>
      of.object({
        get inner() {
          return of.array(of.string());
        },
      }),
  ],
])("has the properties of zod after %s", (_, make) => {
  const [lazy, known] = [make(z as typeof zod.z), make(zod.z)];
  expect(Object.keys(lazy.shape)).toEqual(Object.keys(known.shape));
  expect(z.toJSONSchema(lazy)).toEqual(z.toJSONSchema(known));
});

it.each<[string, (of: typeof zod.z) => zod.ZodType]>([
  ["no word", (of) => of.string()],
  ["a word", (of) => of.string().meta({ id: "Word", title: "A" })],
  ["a word anew, without the id", (of) => of.string().meta({ id: "Word", title: "A" }).meta({ description: "B" })],
  ["a description", (of) => of.object({ a: of.int() }).meta({ id: "Told", title: "A" }).describe("B")],
  ["a check after a word", (of) => of.string().meta({ title: "A" }).min(1)],
  ["a word after a check", (of) => of.string().meta({ title: "A" }).min(1).meta({ description: "B" })],
  ["what wraps it", (of) => of.string().meta({ title: "A" }).optional()],
  ["what it wrapped", (of) => of.string().meta({ title: "A" }).optional().unwrap()],
])("says of itself what zod says after %s", (_, make) => {
  const [lazy, known] = [make(z as typeof zod.z), make(zod.z)];
  expect(lazy.meta()).toEqual(known.meta());
  expect((realSchema(lazy) as zod.ZodType).meta()).toEqual(known.meta());
});

it("reads what is said of a schema without making it", () => {
  const lazy = z.object({ name: z.string() }).meta({ id: "Unmade" });
  let made = false;
  LazySchema.whenMade(lazy as unknown as LazySchema, () => {
    made = true;
  });
  expect([lazy.meta()?.id, lazy.partial({ name: true }).shape.name !== undefined, made]).toEqual([
    "Unmade",
    true,
    false,
  ]);
});

it("keeps notes of schemas, whether they are made or not", () => {
  const notes = new SchemaNotes<string>();
  const lazy = z.string();
  notes.set(lazy, "before");
  expect([notes.get(lazy), notes.get(realSchema(lazy) as object)]).toEqual(["before", "before"]);
  notes.set(lazy, "after");
  expect(notes.get(realSchema(lazy) as object)).toBe("after");
});

it("keeps the notes of a schema that was wrapped", () => {
  const notes = new SchemaNotes<string>();
  const lazy = z.declared(() => z.object({ name: z.string() }));
  notes.set(lazy, "noted");
  expect(notes.get(lazy.optional().unwrap())).toBe("noted");
  expect(notes.get(z.array(lazy).element)).toBe("noted");
});

const source = join(import.meta.dirname, "..");
const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => /(?<!test)[.]ts$/.test(file) && !file.startsWith("schema"))
  .map((file) => [file, readFileSync(join(source, file), "utf8")] as const);

it("has a lazy form of each maker that core uses", () => {
  const used = texts.flatMap(([, text]) => [...text.matchAll(/(?<![\w.])z\s*[.]([a-z]\w*)\(/g)]);
  const names = [...new Set(used.map(([, name]) => name as string))].filter((name) => !OTHERS.includes(name));
  expect(names.length).toBeGreaterThan(20);
  const eager = names.filter((name) => Reflect.get(makers, name) === Reflect.get(zod, name));
  expect(eager).toEqual([]);
});

it("is where all of core takes zod from", () => {
  const others = texts.filter(([, text]) => /^import (?!type )[^;]*from "zod/m.test(text)).map(([file]) => file);
  expect(others).toEqual([]);
});
