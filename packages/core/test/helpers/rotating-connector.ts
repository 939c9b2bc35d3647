import { type Connector, ConnectorError, defineConnector, expectOk } from "@reeve/core/connectors";
import { z } from "zod";

const configuration = z.object({ url: z.url().meta({ description: "Address of the target." }) });
const secrets = z.object({ token: z.string(), refreshToken: z.string() });
const Models = z.object({ ids: z.array(z.string()), next: z.string().optional() });
const Tokens = z.object({ token: z.string(), refreshToken: z.string() });

/** A connector to a target that gives tokens for a short time, a new refresh token with each, and lists models. */
export function rotatingConnector(): Connector {
  return defineConnector({
    manifest: {
      providerKey: "rotating",
      interfaceVersion: 1,
      version: "1.0.0",
      displayName: "Rotating target",
      category: "other",
      description: "Signs in with a token that does not last.",
      capabilities: ["test", "discover"],
    },
    configuration,
    secrets,
    async testConnection(ctx) {
      const { url } = ctx.config;
      const me = (token: string) => ctx.fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });
      const token = await ctx.secret("token");
      const first = await me(token);
      if (first.status !== 401) return accepted(first);
      await first.body?.cancel();
      const next = await ctx.refreshSecrets({ token }, async ({ refreshToken }) => {
        const body = JSON.stringify({ refreshToken });
        const answer = await ctx.fetch(`${url}/token`, { method: "POST", body });
        return Tokens.parse(await (await expectOk(answer, "Refreshing")).json());
      });
      return accepted(await me(next.token));
    },
    async discoverAssets(ctx, { cursor = "0", limit }) {
      const answer = await expectOk(await ctx.fetch(`${ctx.config.url}/models/${cursor}/${limit}`), "Listing");
      const { ids, next } = Models.parse(await answer.json());
      const items = ids.map((id) => ({ externalId: id, assetType: "model", name: id, record: { modelId: id } }));
      return next === undefined ? { items, complete: true } : { items, nextCursor: next, complete: false };
    },
  });
}

async function accepted(answer: Response) {
  await answer.body?.cancel();
  if (!answer.ok) throw new ConnectorError("auth", "The token is refused.", { httpStatus: answer.status });
  return { checks: [], target: { id: "rotating", name: "Rotating target" } };
}
