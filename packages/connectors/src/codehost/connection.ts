import type { CheckResult, ConnectionTest } from "@reeve/core/connectors";
import { canonicalUrl } from "../fields.js";
import { type Api, apiOf } from "./api.js";
import type { CodeHost } from "./configuration.js";
import { Account, Repository } from "./shapes.js";

/** Which account the token is of, and how much it sees. Reads only. */
export async function testConnection(ctx: CodeHost): Promise<ConnectionTest> {
  const api = await apiOf(ctx);
  const account = await api.read("GET /user", {}, Account);
  const { host } = new URL(ctx.config.baseUrl);
  return {
    checks: [
      { id: "account", category: "auth", status: "pass", message: "The code host accepts the token." },
      await repositories(api),
    ],
    // Numbers mean the same to every account of a host, so another account is no other target.
    target: { id: canonicalUrl(ctx.config.baseUrl), name: `${host} as ${account.login}` },
  };
}

async function repositories(api: Api): Promise<CheckResult> {
  const { items } = await api.page("GET /user/repos", { per_page: 1 }, Repository);
  const sees = items.length > 0;
  return {
    id: "repositories",
    category: "capability",
    capability: "resources",
    status: sees ? "pass" : "warn",
    message: sees ? "The token sees repositories." : "The token sees no repository.",
    ...(sees ? {} : { remediation: "Give the account access to repositories, and the token the scope `repo`." }),
  };
}
