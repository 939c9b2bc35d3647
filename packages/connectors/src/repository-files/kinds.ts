import { instructionFiles } from "./instructions.js";
import { type McpFormat, mcpConfigs } from "./mcp/formats.js";
import { type DependencyReader, manifests } from "./sdks/manifests.js";

/** What a file is, by its path. */
export type FileKind =
  | { readonly kind: "mcp"; readonly client: string; readonly format: McpFormat }
  | { readonly kind: "instructions"; readonly client: string; readonly assetType: "agent" | "prompt" }
  | { readonly kind: "manifest"; readonly read: DependencyReader };

/** Folders of other people's code. */
const FOREIGN = /(^|\/)(node_modules|bower_components|vendor|third_party|site-packages|\.venv|venv|dist|target)\//;

/** What a file is; `undefined` when it says nothing of AI. */
export function kindOf(path: string): FileKind | undefined {
  if (path.length > 1_000 || FOREIGN.test(path)) return undefined;
  const config = mcpConfigs.find(({ path: pattern }) => pattern.test(path));
  if (config) return { kind: "mcp", client: config.client, format: config.format };
  const instructions = instructionFiles.find(({ path: pattern }) => pattern.test(path));
  if (instructions) return { kind: "instructions", client: instructions.client, assetType: instructions.assetType };
  const manifest = manifests.find(({ path: pattern }) => pattern.test(path));
  return manifest && { kind: "manifest", read: manifest.read };
}
