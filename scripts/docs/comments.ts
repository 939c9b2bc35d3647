/** A doc comment on a line of its own, because editors take one behind a brace for a part of what stands before it. */
export const comment = (text: string): string =>
  text === "" ? "" : `\n/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */ `;

/** A text without its doc comments. */
export const bare = (text: string): string => text.replaceAll(/\n\/\*\*.*?\*\/ /gs, "");
