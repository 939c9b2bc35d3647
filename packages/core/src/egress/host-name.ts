/** Whether this is a DNS name in lower-case ASCII without a trailing dot; never what could be read as an IPv4 address. */
export function isHostName(text: string): boolean {
  const labels = text.split(".");
  const last = labels.at(-1) ?? "";
  return (
    text.length <= 253 &&
    labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    !/^(?:\d+|0x[\da-f]*)$/.test(last)
  );
}

/** Ends of names that are kept for local use (RFC 6761, 6762, 8375 and the reserved `internal`). */
const LOCAL = ["localhost", "local", "localdomain", "internal", "home.arpa"];

/** Whether a name is meant for inside a network, whatever it resolves to: local endings, and names without a dot. */
export function isLocalName(host: string): boolean {
  return !host.includes(".") || LOCAL.some((end) => host.endsWith(`.${end}`));
}
