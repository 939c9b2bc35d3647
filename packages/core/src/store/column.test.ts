import { expect, it } from "vitest";
import { z } from "zod";
import { defineCollection } from "#kernel/records/collection.js";
import { fieldValue } from "./collection.js";
import { columnValues } from "./column.js";

it("combines fields wherever they are declared, in the order of the declaration, each as it is compared", () => {
  const schema = z.object({
    ...{ id: z.string(), version: z.number(), createdAt: z.string() },
    ...{ name: z.string(), kind: z.string().nullable(), done: z.boolean() },
  });
  const collection = defineCollection<z.output<typeof schema>>({
    name: "mixed",
    prefix: null,
    schema,
    fields: {
      before: { type: "text", combines: ["name", "kind", "createdAt"] },
      name: { type: "text", compare: "caseless" },
      kind: { type: "text" },
      done: { type: "boolean" },
      behind: { type: "text", combines: ["done", "kind", "name"], partly: true },
      nested: { type: "text", combines: ["behind", "before"] },
    },
  });
  const record = { id: "1", version: 1, createdAt: "2026-01-01T00:00:00.000Z", name: "A", kind: null, done: true };
  const values = columnValues(collection, record);
  expect(values).toEqual({
    ...{ name: "a", kind: null, done: true },
    before: "a::2026-01-01T00:00:00.000Z",
    behind: '\n"0=true"\n"1"\n"2=a"\n',
    nested: '\n"0=true"\n"1"\n"2=a"\n:a::2026-01-01T00:00:00.000Z',
  });
  expect(Object.keys(values)).toEqual(Object.keys(collection.fields));
  for (const [name, value] of Object.entries(values)) expect(fieldValue(collection, record, name)).toBe(value);
});
