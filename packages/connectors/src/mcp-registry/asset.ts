import type { DiscoveredAsset } from "@reeve/core/connectors";
import type { Official, Server } from "./entry.js";

/** Members that have a value. */
const present = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));

/** A server of a registry as an asset. Its name in the registry never changes. */
export function assetOf(server: Server, official: Official, location: string): DiscoveredAsset {
  const { name, version, title, description, repository, websiteUrl, packages } = server;
  return {
    externalId: name,
    assetType: "mcp_server",
    name: title ?? name,
    ...(description ? { description } : {}),
    provider: name.slice(0, name.indexOf("/")),
    ...(official.status === "deprecated" ? { tags: ["deprecated"] } : {}),
    metadata: present({
      version,
      repository: repository ? present(repository) : undefined,
      websiteUrl,
      status: official.status,
      publishedAt: official.publishedAt,
      updatedAt: official.updatedAt,
      packages: packages?.map(({ registryType, identifier }) => `${registryType}:${identifier}`),
    }),
    record: recordOf(server),
    found: [{ location, ...(version === undefined ? {} : { revision: version }) }],
  };
}

/** How the server is reached: a remote before a package, and streamable HTTP before the older transport. */
function recordOf({ name, packages, remotes }: Server): Record<string, unknown> {
  const [remote] = [...(remotes ?? [])].sort((one, other) => rank(one.type) - rank(other.type));
  const [source] = packages ?? [];
  const transport = remote?.type ?? source?.transport;
  return {
    registryName: name,
    ...(transport ? { transport: transport.replace("-", "_") } : {}),
    ...(remote && isAddress(remote.url) ? { url: remote.url } : {}),
    ...(source
      ? {
          package: {
            registryType: source.registryType,
            identifier: source.identifier,
            version: source.version ?? null,
            sha256: source.fileSha256 ?? null,
          },
        }
      : {}),
  };
}

const rank = (type: string) => (type === "streamable-http" ? 0 : 1);

/** Whether a server can be called at this text: templates have variables, and credentials belong elsewhere. */
function isAddress(text: string): boolean {
  if (/[{}]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === "";
}
