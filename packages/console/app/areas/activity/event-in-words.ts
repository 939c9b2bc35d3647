/** The type of an event in words, without its prefix and version: `asset governance state changed`. */
export const eventInWords = (type: string): string =>
  type
    .replace(/^[^.]+\.(?=.*\.v\d+$)/, "")
    .replace(/\.v\d+$/, "")
    .replaceAll(/[._]/g, " ");
