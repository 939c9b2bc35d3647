/** Files that tell agents what to do, and files that define an agent. */
export const instructionFiles: readonly {
  readonly path: RegExp;
  readonly client: string;
  readonly assetType: "agent" | "prompt";
}[] = [
  { path: /(^|\/)\.claude\/agents\/.+\.md$/, client: "Claude Code", assetType: "agent" },
  { path: /(^|\/)\.github\/agents\/[^/]+\.md$/, client: "GitHub Copilot", assetType: "agent" },
  { path: /(^|\/)\.github\/chatmodes\/[^/]+\.chatmode\.md$/, client: "GitHub Copilot", assetType: "agent" },
  { path: /(^|\/)\.opencode\/agents?\/[^/]+\.md$/, client: "OpenCode", assetType: "agent" },
  { path: /(^|\/)AGENTS(\.override)?\.md$/, client: "any", assetType: "prompt" },
  { path: /(^|\/)CLAUDE(\.local)?\.md$/, client: "Claude Code", assetType: "prompt" },
  { path: /(^|\/)\.claude\/commands\/.+\.md$/, client: "Claude Code", assetType: "prompt" },
  { path: /(^|\/)\.claude\/skills\/[^/]+\/SKILL\.md$/, client: "Claude Code", assetType: "prompt" },
  { path: /(^|\/)GEMINI\.md$/, client: "Gemini CLI", assetType: "prompt" },
  { path: /(^|\/)\.cursorrules$/, client: "Cursor", assetType: "prompt" },
  { path: /(^|\/)\.cursor\/(rules|commands)\/.+\.mdc?$/, client: "Cursor", assetType: "prompt" },
  { path: /(^|\/)\.github\/copilot-instructions\.md$/, client: "GitHub Copilot", assetType: "prompt" },
  { path: /(^|\/)\.github\/instructions\/.+\.instructions\.md$/, client: "GitHub Copilot", assetType: "prompt" },
  { path: /(^|\/)\.github\/prompts\/.+\.prompt\.md$/, client: "GitHub Copilot", assetType: "prompt" },
  { path: /(^|\/)\.windsurfrules$/, client: "Windsurf", assetType: "prompt" },
  { path: /(^|\/)\.windsurf\/(rules|workflows)\/.+\.md$/, client: "Windsurf", assetType: "prompt" },
  { path: /(^|\/)\.clinerules$/, client: "Cline", assetType: "prompt" },
  { path: /(^|\/)\.clinerules\/.+\.(md|txt)$/, client: "Cline", assetType: "prompt" },
  { path: /(^|\/)\.roo\/rules[^/]*\/.+\.(md|txt)$/, client: "Roo Code", assetType: "prompt" },
  { path: /(^|\/)\.junie\/guidelines\.md$/, client: "Junie", assetType: "prompt" },
  { path: /(^|\/)\.amazonq\/rules\/.+\.md$/, client: "Amazon Q Developer", assetType: "prompt" },
  { path: /(^|\/)\.kiro\/steering\/.+\.md$/, client: "Kiro", assetType: "prompt" },
];
