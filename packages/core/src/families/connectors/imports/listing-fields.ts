import { INCOMPLETE, INCOMPLETE_REASONS, type ListedPage, type Trail } from "#connectors/index.js";
import { z } from "#schema/z.js";

/** The way through a listing that is read in several steps, so that all of them together see whether it ends. */
export const StoredTrail = z.object({
  pages: z.int(),
  items: z.int(),
  bytes: z.int(),
  mark: z.string().nullable(),
  seen: z.string().optional(),
  repeats: z.int().optional(),
  rejected: z.int().optional(),
}) satisfies z.ZodType<Trail>;

/** What is left out is kept up to this number. */
const MOST = 50;
const CHARACTERS = { externalId: 500, part: 200, reason: 300 } as const;

export const IncompleteBecause = z.array(z.enum(INCOMPLETE_REASONS)).meta({
  description: `Why the listing is not known to be whole, so that nothing was concluded from absence: ${Object.entries(
    INCOMPLETE,
  )
    .map(([reason, text]) => `\`${reason}\`: ${text}`)
    .join(" ")}`,
});
export type IncompleteBecause = z.output<typeof IncompleteBecause>;

export const LeftOut = z
  .object({
    externalId: z.string().nullable().meta({ description: "Id in the target, as far as it can be told." }),
    part: z.string().nullable().meta({ description: "The part that was left out; `null`: all of the entry." }),
    reason: z.string().meta({ description: "What is wrong with it." }),
  })
  .meta({ id: "ListingLeftOut" });
export type LeftOut = z.output<typeof LeftOut>;

export const LeftOutOfListing = z
  .array(LeftOut)
  .meta({ description: `Entries of the listing that cannot be used, and parts of entries; the first ${MOST}.` });

/** What was left out so far, with that of another page. */
export function leftOutWith(
  before: readonly LeftOut[],
  { rejected, warnings }: Pick<ListedPage<unknown>, "rejected" | "warnings">,
): LeftOut[] {
  const entries = rejected.map(({ externalId = null, reason }) => ({ externalId, part: null, reason }));
  return [...before, ...[...entries, ...warnings].slice(0, MOST - before.length).map(short)];
}

const short = ({ externalId, part, reason }: LeftOut): LeftOut => ({
  externalId: externalId === null ? null : kept(externalId, CHARACTERS.externalId),
  part: part === null ? null : kept(part, CHARACTERS.part),
  reason: kept(reason, CHARACTERS.reason),
});

/** A text of a target in a form that every store can hold. */
const kept = (text: string, most: number) => text.slice(0, most).toWellFormed().replaceAll("\0", "\uFFFD");

/** The reasons so far with those of another page. */
export function incompleteWith(
  before: IncompleteBecause,
  { incomplete, rejected }: { readonly incomplete: IncompleteBecause[number] | null; readonly rejected: number },
): IncompleteBecause {
  const more = [...(incomplete === null ? [] : [incomplete]), ...(rejected > 0 ? (["rejected"] as const) : [])];
  return [...new Set([...before, ...more])];
}
