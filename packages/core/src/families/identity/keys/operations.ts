import { defineOperation } from "#kernel/operation/operation.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { keyRing } from "./key-ring.js";

const PublicKey = z.looseObject({
  kty: z.string().meta({ description: "The family of the key." }),
  kid: z.string().meta({ description: "Id of the key." }),
  alg: z.string().meta({ description: "The algorithm that it verifies." }),
  use: z.literal("sig").meta({ description: "It verifies signatures only." }),
});

export const readJwks = defineOperation({
  id: "auth.jwks",
  method: "GET",
  path: "/.well-known/jwks.json",
  tag: "Authentication",
  summary: "List the public keys that verify access tokens",
  description:
    "The next key is listed before it signs anything; a retired one until the last of its tokens has expired.",
  access: "public",
  mount: "root",
  extension: true,
  success: {
    status: 200,
    schema: z
      .object({ keys: z.array(PublicKey).meta({ description: "The public keys, by `kid`." }) })
      .meta({ id: "JsonWebKeySet" }),
  },
  async handler(ctx) {
    const { published } = await ctx.env.use(keyRing).current();
    return new Raw(JSON.stringify({ keys: published }), "application/json", {
      headers: { "cache-control": "max-age=300" },
    });
  },
});
