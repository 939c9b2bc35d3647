import { type AccessIdentity, accessIdentities, principalSubject } from "#families/access/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { confirmDrift, type DriftObservation, noteDrift } from "../../drift/note-drift.js";
import { accessDrift, driftKey } from "../../drift/schema.js";
import { afterChunk, continueScan, counted, nextChunk } from "../continue-scan.js";
import type { ScanTarget } from "../grants/grants.js";
import type { AccessDriftScan, DriftScanRun } from "../schema.js";
import { credentialObservation } from "./credential-observation.js";
import { type ListedCredentials, listCredentials } from "./list.js";

/** Identities whose credentials one step asks for. */
const SOME = 10;
/** Identities of one principal that tell whether it is shared. */
const TWO = 2;

/** Looks for credentials that identities did not have at the first look, some identities at a time. */
export async function readCredentials(
  ctx: OutsideContext,
  run: DriftScanRun,
  { instanceId }: ScanTarget,
): Promise<DriftScanRun> {
  const found = await ctx.db.find(accessIdentities, {
    where: { connectorInstanceId: instanceId },
    ...nextChunk(run, SOME),
  });
  const principals = new Map(found.rows.map(({ value }) => [principalSubject(value.principal), value.principal]));
  const listed =
    principals.size === 0
      ? { of: () => [], complete: true }
      : await listCredentials(ctx, run, instanceId, [...principals.values()]);
  return ctx.write((inner) =>
    continueScan(inner, run, async (scan, lease) => {
      const ids = found.rows.map(({ id }) => id);
      const more = await noteUnknown(inner, scan, ids, listed);
      const credentialsComplete = listed.complete && scan.credentialsComplete !== false;
      return afterChunk(inner, await counted(inner, scan, more, { credentialsComplete }), run, lease, found);
    }),
  );
}

async function noteUnknown(ctx: Context, scan: AccessDriftScan, ids: readonly string[], listed: ListedCredentials) {
  const identities = (await ctx.db.getMany(accessIdentities, ids)).map(({ value }) => value);
  const isShared = await sharedAmong(ctx, identities);
  const seen = identities.flatMap((identity) =>
    listed.of(identity.principal).map((credential) => ({
      ...{ identity, credential },
      observation: credentialObservation(identity, credential, isShared(identity)),
    })),
  );
  const strange = await unknownBefore(
    ctx,
    seen.filter(({ identity }) => identity.knownCredentials === null).map(({ observation }) => observation),
  );
  const unknown: DriftObservation[] = [];
  for (const identity of identities) {
    const own = seen.filter((one) => one.identity === identity);
    const isFirst = identity.knownCredentials === null;
    if (isFirst && !listed.complete) continue;
    const credentials = isFirst
      ? own
          .filter(({ observation }) => !strange.has(driftKey(observation)))
          .map(({ credential: { externalId, type } }) => ({ externalId, type }))
      : (identity.knownCredentials?.credentials ?? []);
    if (isFirst) {
      const knownCredentials = { since: ctx.now, credentials };
      await ctx.update(accessIdentities, identity, { knownCredentials });
    }
    const known = new Set(credentials.map(({ externalId }) => externalId));
    unknown.push(
      ...own.filter(({ credential }) => !known.has(credential.externalId)).map(({ observation }) => observation),
    );
  }
  const noted = await noteDrift(ctx, unknown, { scanId: scan.id, detectedBy: "scan" });
  const again = noted.filter(({ status, recurrence }) => status === "suspected" && recurrence > 1);
  for (const one of again) await confirmDrift(ctx, one);
  return { found: noted.length, confirmed: again.length };
}

/** Which identities others act as too. */
async function sharedAmong(ctx: Context, identities: readonly AccessIdentity[]) {
  const keyOf = ({ connectorInstanceId, principal }: AccessIdentity) =>
    `${connectorInstanceId} ${principalSubject(principal)}`;
  const values = [...new Set(identities.map(keyOf))];
  const found = await ctx.db.findTopPerKey(accessIdentities, { field: "shared", values, size: TWO });
  return (identity: AccessIdentity) => (found.get(keyOf(identity))?.length ?? 0) > 1;
}

/** Those that were unknown before. Whoever declares an identity anew does not make them known by that. */
async function unknownBefore(ctx: Context, observations: readonly DriftObservation[]): Promise<ReadonlySet<string>> {
  const keys = observations.map((one) => ({ connectorInstanceId: one.connectorInstanceId, subject: driftKey(one) }));
  const rows = await inChunks(keys, (some) => ctx.db.lookupMany(accessDrift, "subject", some));
  return new Set(rows.flatMap((row) => (row ? [driftKey(row.value)] : [])));
}
