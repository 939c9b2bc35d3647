import type { Client, ItemOf } from "@reeve/client";
import { Failure } from "../../failure.js";

type Asset = ItemOf<"/api/v1/ai-assets">;

/** The most assets of one name that are told. */
const MOST = 5;

/** Whether a word is an id of Reeve, as ast_01JZ… is, and no name. */
export const isId = (word: string) => /^[a-z]{2,5}_[0-9A-HJKMNP-TV-Z]{10,40}$/.test(word);

/** The asset of an id, of the record that belongs to it, or of a name that one asset alone has. */
export async function assetOf(client: Client, word: string): Promise<Asset> {
  if (word.startsWith("ast_") && isId(word))
    return (await client.GET("/api/v1/ai-assets/{id}", { params: { path: { id: word } } })).data;
  const owner = isId(word) ? RECORDS.find(([prefix]) => word.startsWith(prefix)) : undefined;
  if (owner) {
    const { data } = await client.GET(owner[1], { params: { path: { id: word } } });
    return assetOf(client, data.assetId);
  }
  return namedAsset(client, word);
}

/** Records that belong to an asset. */
const RECORDS = [
  ["agt_", "/api/v1/ai/agents/{id}"],
  ["tol_", "/api/v1/ai/tools/{id}"],
  ["mdl_", "/api/v1/ai/models/{id}"],
  ["idn_", "/api/v1/ai/identities/{id}"],
  ["mcp_", "/api/v1/ai/mcp-servers/{id}"],
] as const;

async function namedAsset(client: Client, name: string): Promise<Asset> {
  const wanted = name.toLowerCase();
  const near: string[] = [];
  const found: Asset[] = [];
  for await (const asset of client.items("/api/v1/ai-assets", { params: { query: { search: name, size: 100 } } })) {
    if (asset.name.toLowerCase() === wanted) found.push(asset);
    else if (near.length < MOST) near.push(asset.name);
    if (found.length > MOST) break;
  }
  const [first, another] = found;
  if (first && !another) return first;
  if (first)
    throw new Failure(
      `several assets are called "${name}": ${found.map(({ id }) => id).join(", ")}; name one by its id`,
    );
  const hint = near.length === 0 ? "see reeve assets" : `did you mean ${near.map((one) => `"${one}"`).join(" or ")}?`;
  throw new Failure(`no asset that you may see is called "${name}"; ${hint}`);
}
