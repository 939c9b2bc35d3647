import { type Asset, assets } from "#families/estate/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isSame } from "#kernel/records/is-same.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { currentSet, latestPublication, type PublishedSet, publicationOf } from "./compute-set.js";
import { type PublishedClient, PublishedFile } from "./fields.js";
import { formats } from "./files/index.js";
import { loadToml } from "./files/toml.js";
import { GOOD_FOR } from "./judge-servers.js";
import { Publication, publications } from "./schema.js";
import { says, sign } from "./sign-text.js";

const fields = Publication.shape;

/** The files of a set, and what they do and do not control. */
export const Bundle = z
  .object({
    agentId: fields.agentId,
    client: fields.client,
    number: z.int().nullable().meta({ description: "Number of the publication; `null`: this set is not published." }),
    digest: fields.digest,
    heldTo: z.int().nullable().meta({ description: "As in publications; `null` too for a set that is not published." }),
    jws: z.string().nullable().meta({
      description: "The signature of the publication; `null`: it is not published, or is to be signed anew.",
    }),
    directory: z.string().meta({ description: "Where the files stand on Linux." }),
    files: z.array(PublishedFile).meta({ description: "The files to be written." }),
    closedFiles: z.array(PublishedFile).meta({
      description: "Files that allow no server, for an installation whose credential is refused.",
    }),
    entries: fields.entries,
    leftOut: fields.leftOut,
    notControlled: z.array(z.string()).meta({ description: "What the client does not compare or hold to, in words." }),
    triedWith: z.string().nullable().meta({
      description: "The version of the client that the files were tried with; `null`: they follow its documentation.",
    }),
    goodForSeconds: z.int().meta({ description: "When it is to be asked for again." }),
  })
  .meta({ id: "PublicationBundle" });
export type Bundle = z.output<typeof Bundle>;

/** The asset of an agent. 404 for any other id. */
export async function agentOf(ctx: ReadContext, id: string): Promise<Asset> {
  const agent = await ctx.getOrThrow(assets, id);
  if (agent.assetType === "agent") return agent;
  throw notFound();
}

/** What would be published now, with the number of the newest publication where that is the same. */
export async function previewSet(ctx: ReadContext, agent: Asset, of: PublishedClient): Promise<Bundle> {
  await loadToml();
  const looked = await lookAt(ctx, agent, of);
  const { latest, set, bundle } = looked;
  const shown = bundleOf(agent, of, set, bundle, isPublished(looked) ? latest : undefined);
  return (await isSignedNow(ctx, agent, of, looked)) ? shown : { ...shown, jws: null };
}

/** A set that was signed before its transaction, which waits for no key and no module. `undefined`: it is published. */
export type SignedSet = Pick<Publication, "number" | "digest" | "jws"> | undefined;

/** Which publication sets are held to from now on, and why. Without it that stays as it is. */
export interface Hold {
  readonly heldTo: number | null;
  readonly reason: string | undefined;
}

/** Signs what an agent may use in a client now, where that is not published yet or the key set is another since. */
export async function signSet(ctx: ReadContext, agent: Asset, of: PublishedClient, hold?: Hold): Promise<SignedSet> {
  await loadToml();
  const looked = await lookAt(ctx, agent, of, hold);
  if (await isSignedNow(ctx, agent, of, looked)) return undefined;
  const { latest, bundle } = looked;
  const number = isPublished(looked) && latest ? latest.number : (latest?.number ?? 0) + 1;
  return { number, digest: bundle.digest, jws: await sign(ctx, claimsOf(ctx, agent, of, number, bundle)) };
}

/**
 * Publishes what an agent may use in a client now. The same set has the same number and the same bytes; another one has
 * the next number, a signature and an event. 409 where the set changed since it was signed.
 */
export async function publishSet(
  ctx: Context,
  agent: Asset,
  of: PublishedClient,
  signed: SignedSet,
  hold?: Hold,
): Promise<Bundle> {
  const looked = await lookAt(ctx, agent, of, hold);
  const { latest, held, set, bundle } = looked;
  if (hold && held) requireWhole(held, set);
  if (latest && isPublished(looked)) {
    const isAnew = signed?.digest === latest.digest && signed.number === latest.number && signed.jws !== latest.jws;
    const now = isAnew ? await ctx.update(publications, latest, { jws: signed.jws }, { event: false }) : latest;
    return bundleOf(agent, of, set, bundle, now);
  }
  const isOfNow = signed?.digest === bundle.digest && signed.number === (latest?.number ?? 0) + 1;
  if (!signed || !isOfNow) throw new ReeveError("concurrent_modification", "The set of the agent has just changed.");
  const heldTo = held?.number ?? null;
  return bundleOf(
    agent,
    of,
    set,
    bundle,
    await store(ctx, agent, of, set, { ...signed, heldTo, reason: hold?.reason }),
  );
}

/** 409 where an earlier set is no longer approved entirely. */
function requireWhole(held: Publication, { entries, leftOut }: PublishedSet): void {
  const gone = held.entries.filter((one) => !entries.some((entry) => isSame(entry, one)));
  if (gone.length === 0) return;
  const reasonsOf = (assetId: string) => leftOut.find((one) => one.assetId === assetId)?.reasons ?? ["not_used"];
  const told = gone.map(({ assetId, name }) => `${name}: ${reasonsOf(assetId).join(", ")}`);
  const detail = `Publication ${held.number} is not approved entirely any more (${told.join("; ")}).`;
  throw new ReeveError("transition_guard_failed", detail, {
    members: { guards: [{ key: "approvedEntirely", ok: false, detail }] },
  });
}

interface Looked {
  readonly latest: Publication | undefined;
  /** The publication that sets are held to. */
  readonly held: Publication | undefined;
  readonly set: PublishedSet;
  readonly bundle: WrittenSet;
}

async function lookAt(ctx: ReadContext, agent: Asset, of: PublishedClient, hold?: Hold): Promise<Looked> {
  const latest = await latestPublication(ctx, agent.id, of);
  const held = await publicationOf(ctx, agent.id, of, hold ? hold.heldTo : (latest?.heldTo ?? null));
  const set = await currentSet(ctx, agent, of, { latest, held });
  return { latest, held, set, bundle: write(ctx, of, set) };
}

/** Whether the newest publication says the same already. */
const isPublished = ({ latest, held, bundle }: Looked): boolean =>
  latest?.digest === bundle.digest && latest.heldTo === (held?.number ?? null);

/** Whether the newest publication says the same already, in words of now. */
async function isSignedNow(ctx: ReadContext, agent: Asset, of: PublishedClient, looked: Looked): Promise<boolean> {
  const { latest, bundle } = looked;
  if (!latest || !isPublished(looked)) return false;
  return says(ctx, latest.jws, claimsOf(ctx, agent, of, latest.number, bundle));
}

/** What is signed of a set. */
const claimsOf = (
  { principal }: ReadContext,
  { id: agentId }: Asset,
  client: PublishedClient,
  number: number,
  { digest, closedDigest }: WrittenSet,
) => ({ agentId, client, number, digest, closedDigest, tenantId: principal.tenantId });

interface WrittenSet {
  readonly files: PublishedFile[];
  readonly closedFiles: PublishedFile[];
  readonly digest: string;
  readonly closedDigest: string;
}

function write(ctx: ReadContext, of: PublishedClient, { entries: some }: PublishedSet): WrittenSet {
  const { baseUrl = "" } = ctx.env.options;
  const { directory, files: filesOf } = formats[of];
  const [files, closedFiles] = [filesOf({ entries: some, baseUrl }), filesOf({ entries: [], baseUrl })];
  const digestOf = (some: readonly PublishedFile[]) => sha256(canonical({ directory, files: some }));
  return { files, closedFiles, digest: digestOf(files), closedDigest: digestOf(closedFiles) };
}

function bundleOf(
  agent: Asset,
  of: PublishedClient,
  set: PublishedSet,
  { files, closedFiles, digest: written }: WrittenSet,
  publication: Publication | undefined,
): Bundle {
  const { directory, notControlled, triedWith } = formats[of];
  return {
    agentId: agent.id,
    client: of,
    number: publication?.number ?? null,
    digest: written,
    heldTo: publication?.heldTo ?? null,
    jws: publication?.jws ?? null,
    ...{ directory, files, closedFiles },
    entries: [...set.entries],
    leftOut: [...set.leftOut],
    notControlled: [...notControlled],
    triedWith,
    goodForSeconds: GOOD_FOR / 1_000,
  };
}

async function store(
  ctx: Context,
  agent: Asset,
  of: PublishedClient,
  set: PublishedSet,
  { reason, ...signed }: NonNullable<SignedSet> & Pick<Publication, "heldTo"> & Pick<Hold, "reason">,
): Promise<Publication> {
  const { id, ...marks } = ctx.stamp(publications);
  const [entries, leftOut] = [[...set.entries], [...set.leftOut]];
  const publication = await ctx.insert(
    publications,
    { id, ...marks, agentId: agent.id, client: of, ...signed, entries, leftOut },
    { event: false },
  );
  const { number, digest, heldTo } = signed;
  await ctx.emit({
    type: "publication.made",
    subject: subjectOf(publications, id),
    related: [agent.id, ...[...entries, ...leftOut].map(({ assetId }) => assetId)],
    data: {
      ...{ agentId: agent.id, client: of, number, digest, heldTo },
      ...(reason === undefined ? {} : { reason }),
      entries: entries.map(({ assetId, heldTo }) => ({ assetId, heldTo })),
      leftOut: leftOut.map(({ assetId, reasons }) => ({ assetId, reasons })),
    },
  });
  return publication;
}
