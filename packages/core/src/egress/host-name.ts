/**
 * Whether this is a DNS name in lower-case ASCII without a trailing dot. Never true for text that could be an IPv4
 * address.
 */
export function isHostName(text: string): boolean {
  const labels = text.split(".");
  const last = labels.at(-1) ?? "";
  return (
    text.length <= 253 &&
    labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    !/^(?:\d+|0x[\da-f]*)$/.test(last)
  );
}

/** Suffixes reserved for local use (RFC 6761, 6762, 8375 and `internal`). */
const LOCAL = ["localhost", "local", "localdomain", "internal", "home.arpa"];

/** Whether a name belongs to a local network, whatever it resolves to: a local suffix, or no dot. */
export function isLocalName(host: string): boolean {
  return !host.includes(".") || LOCAL.some((end) => host.endsWith(`.${end}`));
}
