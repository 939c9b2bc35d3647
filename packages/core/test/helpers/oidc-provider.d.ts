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

  interface AccessToken {
    resourceServer: object;
    readonly expiration: number;
    readonly tokenType: string;
    save(): Promise<string>;
  }

  interface Context {
    body: unknown;
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly params: Readonly<Record<string, string | undefined>>;
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
    readonly AccessToken: new (
      of: object,
    ) => AccessToken;
    readonly ResourceServer: new (
      identifier: string,
      info: object,
    ) => object;
    registerGrantType(name: string, handler: (ctx: Context) => Promise<void>, parameters: readonly string[]): void;
    interactionFinished(request: IncomingMessage, answer: ServerResponse, result: object): Promise<void>;
  }

  export const errors: { readonly InvalidGrant: new (message: string) => Error };
}
