/**
 * What is counted as one peer: an IPv4 address, the /64 network of an IPv6 address (one subscriber has all of it), and any
 * other text as it stands. An IPv4 address in IPv6 clothing is the IPv4 address.
 */
export function networkOf(address: string): string {
  const text = address.toLowerCase().replace(/%.*$/, "");
  const mapped = /^(?:0*:)*:?(?:0*:)*ffff:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text);
  if (mapped) return mapped[1] as string;
  if (!/^[0-9a-f:.]+$/.test(text) || !text.includes(":")) return text;
  const [head = "", tail] = text.split("::");
  const groups = (part: string) => part.split(":").filter(Boolean);
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const network = [...before, ...Array<string>(zeros).fill("0"), ...after].slice(0, 4);
  return `${network.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
