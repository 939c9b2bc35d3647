import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { Context } from "#kernel/operation/context.js";
import type { Finding } from "./fields.js";
import { type ClosedReason, isOpen, type Severity } from "./finding-terms.js";

/** How many more findings are open, by severity. Negative for fewer. */
export type OpenChange = Readonly<Partial<Record<Severity, number>>>;

type Counted = Pick<Finding, "assetId" | "status" | "effectiveSeverity" | "closedReason">;

/** Assets that are gone have no counts. */
const WITHOUT_ASSET: readonly (ClosedReason | null)[] = ["asset_retired", "asset_deleted"];

/** Changes of the numbers of open findings, summed by asset before they are stored. */
export class OpenChanges {
  readonly #byAsset = new Map<string, Partial<Record<Severity, number>>>();

  get byAsset(): ReadonlyMap<string, OpenChange> {
    return this.#byAsset;
  }

  /** Adds a finding as it was stored and as it is stored now. */
  add(before: Counted | undefined, after: Counted): void {
    if (WITHOUT_ASSET.includes(after.closedReason)) return;
    if (before) this.#count(before, -1);
    this.#count(after, 1);
  }

  #count({ assetId, status, effectiveSeverity: severity }: Counted, by: number): void {
    if (!isOpen(status)) return;
    const counts = this.#byAsset.get(assetId) ?? {};
    counts[severity] = (counts[severity] ?? 0) + by;
    this.#byAsset.set(assetId, counts);
  }
}

/** Who keeps the numbers of open findings, in the transaction that changes the findings. */
export const openCounts =
  defineExtensionPoint<(ctx: Context, changes: OpenChanges) => Promise<void>>("findings.openCounts");
