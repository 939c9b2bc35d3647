import type { ClientPack } from "../fields.js";

/** The tool of Cursor itself that its hooks ask about here, as its documentation has it. */
export const cursor: ClientPack = {
  client: "cursor",
  version: "documentation",
  title: "Cursor",
  tools: [{ toolName: "Shell", category: "shell", arguments: ["command"] }],
};
