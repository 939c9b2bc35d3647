import { accessProfiles, accessResources } from "#families/access/index.js";
import { type AccessAssignment, accessAssignments } from "#families/access-grants/index.js";
import { assets } from "#families/estate/index.js";
import { users } from "#families/identity/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { type DriftObservation, noteDrift, observationOf } from "../drift/note-drift.js";
import { afterChunk, continueScan, counted, nextChunk } from "./continue-scan.js";
import type { DriftScanRun } from "./schema.js";

/** Compares what was granted with what is known of its resource, profile and asset, some at a time. */
export function compareRecords(ctx: OutsideContext, run: DriftScanRun): Promise<DriftScanRun> {
  return ctx.write((inner) =>
    continueScan(inner, run, async (scan, lease) => {
      const where = { liveOf: scan.connectorInstanceId };
      const found = await inner.db.find(accessAssignments, { where, ...nextChunk(run) });
      const active = found.rows
        .map((row) => inner.derived(accessAssignments, row))
        .filter(({ status }) => status === "active");
      const observations = await outdated(inner, active);
      const noted = await noteDrift(inner, observations, { scanId: scan.id, detectedBy: "scan" });
      return afterChunk(inner, await counted(inner, scan, { found: noted.length }), run, lease, found);
    }),
  );
}

const distinct = (ids: readonly string[]) => [...new Set(ids)];

/** What of some access is not as it was when it was granted. Reeve knows that itself, so it needs no second look. */
async function outdated(ctx: Context, active: readonly AccessAssignment[]): Promise<DriftObservation[]> {
  const [resources, profiles, owned] = [
    await ctx.db.getMany(accessResources, distinct(active.map(({ resourceId }) => resourceId))),
    await ctx.db.getMany(accessProfiles, distinct(active.map(({ accessProfileId }) => accessProfileId))),
    await ctx.db.getMany(assets, distinct(active.map(({ assetId }) => assetId))),
  ];
  const resourceOf = new Map(resources.map(({ id, value }) => [id, value]));
  const profileOf = new Map(profiles.map(({ id, value }) => [id, value]));
  const ownerOf = new Map(owned.map(({ id, value }) => [id, value.owner]));
  const people = [...ownerOf.values()].flatMap((owner) => (owner?.type === "user" ? [owner.id] : []));
  const known = await ctx.db.getMany(users, distinct(people));
  const present = new Set(known.filter(({ value }) => value.status !== "disabled").map(({ id }) => id));
  return active.flatMap((one) => {
    const [resource, profile] = [resourceOf.get(one.resourceId), profileOf.get(one.accessProfileId)];
    const owner = ownerOf.get(one.assetId);
    const answers = owner != null && (owner.type !== "user" || present.has(owner.id));
    const found: DriftObservation[] = [];
    if (resource?.status !== "active") found.push(observationOf(one, "resource_missing", { certain: true }));
    if (profile && profile.definitionHash !== one.approvedHash && profile.definitionHash !== profile.approvedHash)
      found.push(observationOf(one, "definition_changed", { certain: true, diff: meaning(one, profile) }));
    if (!answers) found.push(observationOf(one, "owner_missing", { certain: true }));
    return found;
  });
}

const meaning = (
  { approvedHash, privilegeLevel }: Pick<AccessAssignment, "approvedHash" | "privilegeLevel">,
  profile: { readonly definitionHash: string; readonly privilegeLevel: number },
) => [
  { field: "definitionHash", desired: approvedHash, observed: profile.definitionHash },
  ...(privilegeLevel === profile.privilegeLevel
    ? []
    : [{ field: "privilegeLevel", desired: privilegeLevel, observed: profile.privilegeLevel }]),
];
