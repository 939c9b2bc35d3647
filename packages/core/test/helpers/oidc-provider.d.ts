/** The parts of `oidc-provider` that tests use. It ships no types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    listen(port: number, host: string, listening: () => void): void;
  }
}
