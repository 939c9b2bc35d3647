import { ENVIRONMENTS, Label, Text } from "#families/estate/index.js";
import { cutText } from "#kernel/records/cut-text.js";
import { z } from "#schema/z.js";
import type { LeftOut } from "../listing-fields.js";

/** A part of what a target says of an asset that is not kept. */
export type LeftOutOfItem = Omit<LeftOut, "externalId">;

/** Where something was found. */
export const Find = z.object({
  location: z.string().max(1_000),
  revision: z.string().max(200).optional(),
  line: z.int().min(1).optional(),
});

/** Parts that an asset may lack. An asset of no environment may be of any, which people decide. */
export const TEXTS = {
  description: Text.optional(),
  environment: z.enum(ENVIRONMENTS).optional(),
  ownerHint: z.string().max(320).optional(),
};
export const Members = z.record(z.string(), z.json());
/** The most labels of an asset. */
export const TAGS = 50;

const LISTS = { tags: Label, found: Find } as const;
const OBJECTS = ["metadata", "record"] as const;
/** The most parts of one asset that are told one by one. */
const MOST = 20;
export const ODD = "It has not the form that is expected.";

/** An asset without the parts that it may lack and that have an odd form, and which these are. */
export function withoutOdd(given: unknown): { readonly asset: unknown; readonly leftOut: readonly LeftOutOfItem[] } {
  if (!isObject(given)) return { asset: given, leftOut: [] };
  const [asset, leftOut] = [{ ...given } as Record<string, unknown>, [] as LeftOutOfItem[]];
  const leave = (part: string, reason = ODD) => void (leftOut.length < MOST && leftOut.push({ part, reason }));
  for (const [name, shape] of Object.entries(TEXTS)) {
    if (shape.safeParse(asset[name]).success) continue;
    if (asset[name] !== null) leave(name);
    delete asset[name];
  }
  for (const [name, shape] of Object.entries(LISTS)) {
    const list = asset[name];
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      if (list !== null) leave(name);
      delete asset[name];
      continue;
    }
    const isGood = (one: unknown) => shape.safeParse(one).success;
    for (const [at, one] of list.entries()) if (!isGood(one)) leave(`${name}[${at}]`);
    const good = list.filter(isGood);
    if (name === "tags" && good.length > TAGS) leave(`tags[${TAGS}]`, `It and what follows are more than ${TAGS}.`);
    asset[name] = name === "tags" ? good.slice(0, TAGS) : good;
  }
  for (const name of OBJECTS) {
    const members = asset[name];
    if (members === undefined || Members.safeParse(members).success) continue;
    delete asset[name];
    if (!isObject(members)) {
      if (members !== null) leave(name);
      continue;
    }
    const isGood = ([, value]: [string, unknown]) => z.json().safeParse(value).success;
    for (const entry of Object.entries(members)) if (!isGood(entry)) leave(`${name}.${cutText(entry[0], 100)}`);
    asset[name] = Object.fromEntries(Object.entries(members).filter(isGood));
  }
  return { asset, leftOut };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
