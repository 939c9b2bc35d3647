import { createHash } from "node:crypto";
import { z } from "zod";
import type { Directory } from "./manifest.js";

/** Which value stands in which group for whom, since an entry that is gone or renamed does not tell. */
const Kept = z.array(z.tuple([z.string(), z.string(), z.string()]));
type Kept = z.output<typeof Kept>;

/** A group and somebody, by their ids. */
export interface Pair {
  readonly groupId: string;
  readonly principalId: string;
}

/** Characters of what is kept under one key. Beyond them the oldest is forgotten, of which the core knows the value. */
const MOST = 60_000;

/** Groups share keys, of which a connector has few. */
const keyOf = (groupId: string) => `members ${createHash("sha256").update(groupId).digest("hex").slice(0, 2)}`;

async function kept({ state }: Directory, groupId: string): Promise<Kept> {
  return Kept.catch([]).parse((await state.get(keyOf(groupId))) ?? []);
}

const isOf = ([group, principal]: Kept[number], { groupId, principalId }: Pair) =>
  group === groupId && principal === principalId;

/** The values that were written for somebody. */
export const rememberedOf = async (ctx: Directory, pair: Pair): Promise<readonly string[]> =>
  (await kept(ctx, pair.groupId)).filter((one) => isOf(one, pair)).map(([, , value]) => value);

/** Whether a value was also written for somebody else, who has it still. */
export const isSomebodyElses = async (ctx: Directory, pair: Pair, value: string): Promise<boolean> =>
  (await kept(ctx, pair.groupId)).some((one) => one[0] === pair.groupId && one[2] === value && !isOf(one, pair));

/** Keeps a value before it is written. */
export async function remember(ctx: Directory, pair: Pair, value: string): Promise<void> {
  const all = await kept(ctx, pair.groupId);
  if (all.some((one) => isOf(one, pair) && one[2] === value)) return;
  const next: Kept = [...all, [pair.groupId, pair.principalId, value]];
  while (JSON.stringify(next).length > MOST) next.shift();
  await ctx.state.put(keyOf(pair.groupId), next);
}

/** Forgets what was written for somebody, once it is gone. */
export async function forget(ctx: Directory, pair: Pair): Promise<void> {
  const all = await kept(ctx, pair.groupId);
  const left = all.filter((one) => !isOf(one, pair));
  if (left.length === all.length) return;
  if (left.length === 0) await ctx.state.delete(keyOf(pair.groupId));
  else await ctx.state.put(keyOf(pair.groupId), left);
}
