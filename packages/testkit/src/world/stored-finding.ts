import type { Clock, Store } from "@reeve/core";
import { collections } from "@reeve/core/reference";
import { type StoredRecord, sha256 } from "@reeve/core/store";
import { openedFinding } from "@reeve/core/testing";

type Detected = Parameters<typeof openedFinding>[1];

/** A result of an evaluation of an asset, with the tenant's sentinel in every text. */
function detectedOn(assetId: string, text: string): Detected {
  return {
    policyId: text,
    policyKey: text.toLowerCase(),
    policyRevision: 1,
    source: "policy",
    ruleKey: "named",
    assetId,
    assetName: text,
    locus: text,
    severity: "medium",
    gate: false,
    category: text,
    title: text,
    message: text,
    remediation: text,
    controls: ["nist-ai-rmf-1.0:GOVERN 1.6"],
    evidence: { snapshotDigest: sha256(text), digest: sha256(`read of ${text}`), values: { "asset.name": text } },
    production: false,
    highRisk: false,
  };
}

/** Default due dates. */
export const SLA_DAYS = { critical: 7, high: 30, medium: 90, low: 180, info: null } as const;

/** The tenant to store it in. */
type Place = { readonly clock: Clock; readonly store: Store; readonly tenantId: string; unique(): string };

/** Stores a finding, like an evaluation that finds it for the first time. Returns its id. */
export async function storeFinding(at: Place, assetId: string, detected: Partial<Detected>): Promise<string> {
  const text = at.unique();
  const now = new Date(at.clock.now()).toISOString();
  const id = `fnd_0${sha256(text).slice(0, 25).toUpperCase()}`;
  const stamp = { id, version: 1, createdAt: now, createdBy: "system", updatedAt: now, updatedBy: "system" };
  const found = { ...detectedOn(assetId, text), ...detected };
  const finding = openedFinding(stamp, found, { now, slaDays: SLA_DAYS, exemptions: [] });
  const tenant = at.store.forTenant(at.tenantId);
  await tenant.insert(collectionOf("findings"), finding);
  const assets = collectionOf("ai_assets");
  const row = await tenant.get(assets, assetId);
  if (row) await tenant.replace(assets, counted(row.value, finding.effectiveSeverity, now), row.value);
  return id;
}

function collectionOf(name: string) {
  const found = collections.find((each) => each.name === name);
  if (!found) throw new Error(`there are no ${name}`);
  return found;
}

/** An asset with one more open finding. */
function counted<R extends StoredRecord>(asset: R, severity: string, asOf: string): R {
  const { openFindings } = asset as { readonly openFindings?: Readonly<Record<string, number>> | null };
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0, ...openFindings };
  const more = { ...counts, [severity]: (counts[severity as keyof typeof counts] ?? 0) + 1, asOf };
  return { ...asset, version: asset.version + 1, openFindings: more };
}
