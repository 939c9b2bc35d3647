/** The parts of `oidc-provider` that tests use. It ships no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export interface Interaction {
    readonly uid: string;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Context {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
      readonly provider: { readonly Grant: new (of: { clientId: string; accountId: string }) => Grant };
    };
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: Readonly<Record<string, unknown>> & {
        readonly loadExistingGrant?: (ctx: Context) => Promise<Grant>;
      },
    );
    callback(): RequestListener;
    listen(port: number, host: string, listening: () => void): void;
    interactionFinished(request: IncomingMessage, answer: ServerResponse, result: object): Promise<void>;
  }
}
