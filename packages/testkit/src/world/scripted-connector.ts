import {
  type CheckResult,
  type ConnectionTest,
  type Connector,
  type ConnectorContext,
  type ConnectorError,
  type DiscoveredAsset,
  defineConnector,
  type Page,
  type PageRequest,
  pageOf,
} from "@reeve/core/connectors";
import { z } from "zod";

const configuration = z.object({
  account: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description: "Which account of the system.", examples: ["acme"] }),
  region: z.enum(["eu", "us"]).default("eu").meta({ description: "Where the account is." }),
  endpoint: z.url().optional().meta({ description: "An address that every call is sent to first." }),
});
const secrets = z.object({
  apiKey: z.string().min(8).max(4_096).meta({ description: "Proves who calls." }),
  signingKey: z.string().max(4_096).optional().meta({ description: "Signs what is sent." }),
});
type ScriptedContext = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

/** A call that arrived, with what its context said. */
export interface ScriptedCall {
  readonly method: "testConnection" | "discoverAssets";
  readonly account: string;
  readonly apiKey: string;
  readonly region: string;
}

type Listing = (page: PageRequest) => Page<DiscoveredAsset>;
type Script = (ctx: ScriptedContext) => Promise<void> | void;

/**
 * A connector to no system: tests set what an account shows. Each account is another target. For rules about
 * connections, not about protocols.
 */
export class ScriptedConnector {
  static readonly providerKey = "scripted";
  /** All calls, in order. */
  readonly calls: ScriptedCall[] = [];
  readonly #failures = new Map<string, ConnectorError>();
  readonly #tests = new Map<string, Partial<ConnectionTest>>();
  readonly #listings = new Map<string, Listing>();
  readonly #scripts = new Map<string, Script>();

  readonly connector: Connector = defineConnector({
    manifest: {
      providerKey: ScriptedConnector.providerKey,
      interfaceVersion: 1,
      version: "1.0.0",
      displayName: "Scripted system",
      category: "other",
      description: "Shows what a test tells it to show.",
      capabilities: ["test", "discover"],
      requiredPermissions: [{ capability: "discover", permission: "read:all", why: "It lists what is there." }],
    },
    configuration,
    secrets,
    testConnection: (ctx) => this.#test(ctx),
    discoverAssets: async (ctx, page) => {
      await this.#arrived(ctx, "discoverAssets");
      return this.#listings.get(ctx.config.account)?.(page) ?? pageOf([], page);
    },
  });

  /** Lets every call of an account fail, until it is `undefined`. */
  fail(account: string, error: ConnectorError | undefined): void {
    if (error) this.#failures.set(account, error);
    else this.#failures.delete(account);
  }

  /** Sets what tests of an account find. */
  show(account: string, found: Partial<ConnectionTest>): void {
    this.#tests.set(account, found);
  }

  /** Sets the assets of an account. */
  list(account: string, assets: readonly DiscoveredAsset[]): void {
    this.listBy(account, (page) => pageOf(assets, page));
  }

  /** Sets how an account answers when its assets are listed. */
  listBy(account: string, listing: Listing): void {
    this.#listings.set(account, listing);
  }

  /** Runs first in every call of an account, with its context. */
  script(account: string, run: Script): void {
    this.#scripts.set(account, run);
  }

  async #test(ctx: ScriptedContext): Promise<ConnectionTest> {
    await this.#arrived(ctx, "testConnection");
    const { account } = ctx.config;
    const checks: CheckResult[] = [
      { id: "sign-in", category: "auth", status: "pass", message: "The key is accepted." },
      { id: "list", category: "permission", status: "pass", message: "Assets can be listed.", capability: "discover" },
    ];
    return { checks, target: { id: `target of ${account}`, name: account }, ...this.#tests.get(account) };
  }

  async #arrived(ctx: ScriptedContext, method: ScriptedCall["method"]): Promise<void> {
    const { account, region, endpoint } = ctx.config;
    this.calls.push({ method, account, region, apiKey: await ctx.secret("apiKey") });
    await this.#scripts.get(account)?.(ctx);
    if (endpoint !== undefined) await (await ctx.fetch(endpoint)).body?.cancel();
    const failure = this.#failures.get(account);
    if (failure) throw failure;
  }
}
