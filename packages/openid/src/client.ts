import type { OpenidEngine } from "@reeve/core";
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockSkew,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from "openid-client";
import { egressFetch } from "./egress-fetch.js";
import { Unreachable } from "./refusals.js";
import type { OpenidSettings } from "./settings.js";

type Outside = Parameters<OpenidEngine["connect"]>[0];

/** How long metadata counts, in milliseconds. */
const FRESH = 600_000;
/** The least time between two reads that fail, so that an outage causes no flood, in milliseconds. */
const PAUSE = 5_000;

/** The client that Reeve is at one provider. */
export interface Client {
  readonly settings: OpenidSettings;
  /** What the library needs for one call, with the provider's metadata. */
  configured(): Promise<Configuration>;
}

/** The client of these settings. The provider's metadata is read at first use, and again when it is old. */
export function clientOf(settings: OpenidSettings, { egress, clock }: Outside): Client {
  const fetch = egressFetch(egress);
  const issuer = new URL(settings.issuer);
  // Whether an address without TLS may be called is for the egress to say.
  const isPlain = issuer.protocol === "http:";
  const execute = isPlain ? [allowInsecureRequests] : [];
  let held: { readonly server: ServerMetadata; readonly readAt: number } | undefined;
  let reading: Promise<ServerMetadata> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<ServerMetadata> {
    try {
      const found = await discovery(issuer, settings.clientId, {}, None(), { [customFetch]: fetch, execute });
      held = { server: found.serverMetadata(), readAt: clock.now() };
      return held.server;
    } catch (error) {
      failedAt = clock.now();
      throw error;
    } finally {
      reading = undefined;
    }
  }

  async function metadata(): Promise<ServerMetadata> {
    if (held && clock.now() - held.readAt < FRESH) return held.server;
    if (!reading && clock.now() - failedAt < PAUSE) throw new Unreachable("the provider was asked just now");
    reading ??= read();
    return reading;
  }

  return {
    settings,
    async configured() {
      const server = await metadata();
      const skew = { [clockSkew]: Math.round((clock.now() - Date.now()) / 1_000) };
      const config = new Configuration(server, settings.clientId, skew, authenticationOf(settings));
      config[customFetch] = fetch;
      if (isPlain) allowInsecureRequests(config);
      return config;
    },
  };
}

function authenticationOf({ clientSecret, clientAuthentication }: OpenidSettings): ClientAuth {
  if (clientSecret === undefined) return None();
  return clientAuthentication === "post" ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}
