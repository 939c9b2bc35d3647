import { z } from "zod";
import type { Context } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { defineCollection } from "#kernel/records/collection.js";

// For the type check only. Each line marked as an error must be one, and the same line in a writing handler must not.

const Note = z.object({ id: z.string(), version: z.int(), createdAt: z.string(), text: z.string() });
const notes = defineCollection<z.output<typeof Note>>({ name: "notes", prefix: "not", schema: Note });

const NOTE = { id: "not_1", version: 1, createdAt: "2026-01-01T00:00:00.000Z", text: "" };
const shared = {
  path: "/test",
  tag: "System",
  summary: "Test",
  access: "signed-in",
  success: { status: 204 },
} as const;
const write = async (ctx: Context): Promise<undefined> => {
  await ctx.remove(notes, NOTE);
  return undefined;
};

export const writing = defineOperation({
  ...shared,
  id: "test.write",
  method: "POST",
  prepare: async (ctx) => {
    // @ts-expect-error What is prepared outside the transaction only reads.
    await ctx.insert(notes, NOTE);
  },
  handler: async (ctx) => {
    await ctx.insert(notes, NOTE);
    await ctx.insertMany(notes, [NOTE]);
    await ctx.update(notes, NOTE, { text: "other" });
    await ctx.remove(notes, NOTE);
    await ctx.pruneEvents(1);
    await ctx.on("ten_1").insert(notes, NOTE);
    await write(ctx);
    // @ts-expect-error What a context reads through cannot write.
    await ctx.db.insert(notes, NOTE);
    // @ts-expect-error The store of the environment only reads.
    await ctx.env.store.transaction("ten_1", async () => undefined);
    // @ts-expect-error The kernel raises versions.
    await ctx.update(notes, NOTE, { version: 2 });
    return undefined;
  },
});

export const reading = defineOperation({
  ...shared,
  id: "test.read",
  method: "GET",
  handler: async (ctx) => {
    // @ts-expect-error
    await ctx.insert(notes, NOTE);
    // @ts-expect-error
    await ctx.insertMany(notes, [NOTE]);
    // @ts-expect-error
    await ctx.update(notes, NOTE, { text: "other" });
    // @ts-expect-error
    await ctx.remove(notes, NOTE);
    // @ts-expect-error
    await ctx.pruneEvents(1);
    // @ts-expect-error
    await ctx.on("ten_1").insert(notes, NOTE);
    // @ts-expect-error
    await write(ctx);
    return undefined;
  },
});

export const asking = defineOperation({
  ...shared,
  id: "test.ask",
  method: "POST",
  effect: "read",
  // @ts-expect-error
  handler: write,
});

export const reaching = defineOperation({
  ...shared,
  id: "test.own",
  method: "POST",
  effect: "own",
  handler: async (ctx) => {
    // @ts-expect-error Outside of a transaction of its own.
    await ctx.insert(notes, NOTE);
    return ctx.write(write);
  },
});
