import type { Action, ConnectorImport, Counts, ImportItemRecord, ImportRun } from "./schema.js";

type Selected = Pick<ImportRun, "selection" | "allowRetire"> & { readonly exclude: readonly string[] };

/**
 * Whether a line of the plan is carried out. A conflict is when the confirmation has said which asset it is, and what is
 * to be retired only where the confirmation allows it.
 */
export function isSelected(
  { selection, exclude, allowRetire }: Selected,
  { id, action, assetId }: Pick<ImportItemRecord, "id" | "action" | "assetId">,
) {
  if (exclude.includes(id)) return false;
  if (action === "conflict") return assetId !== null;
  if (action === "retire" && !allowRetire) return false;
  if (action === "unchanged") return false;
  return Array.isArray(selection) ? selection.includes(id) : selection === "all" || action === "create";
}

/** Whether an import asks for a type. It says nothing about others, neither that they are there nor that they are not. */
export const asksFor = (
  { assetTypes }: Pick<ConnectorImport, "assetTypes">,
  { assetType }: Pick<ImportItemRecord, "assetType">,
): boolean => assetTypes.length === 0 || assetTypes.includes(assetType);

/** Counts with more lines. */
export function countsWith(counts: Counts, lines: readonly { readonly action: Action }[], rejected: number): Counts {
  const next = { ...counts, rejected: counts.rejected + rejected };
  for (const { action } of lines) next[action] += 1;
  return next;
}
