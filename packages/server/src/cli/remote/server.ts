import type { Client } from "@reeve/client";
import { Failure } from "../../failure.js";
import type { Invocation } from "../command.js";
import { addressOf, asking, bearerToken, type Who } from "./asking.js";
import { checkedName, Profiles } from "./profiles.js";
import { SignIn } from "./sign-in.js";

/** What every command takes that asks a server. */
export interface RemoteOptions {
  readonly profile?: string;
}

/** A server, and who asks it. */
export interface Server {
  readonly address: string;
  /** The profile in use; `undefined` where the environment says who asks. */
  readonly profile: string | undefined;
  readonly client: Client;
}

/** Work with the server and as the one who the options, the environment or the profile say. Rejects with `Failure`. */
export async function withServer<T>(
  { env }: Invocation,
  { profile: named }: RemoteOptions,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  if (named === undefined && (env.REEVE_TOKEN || env.REEVE_CLIENT_ID)) {
    const address = addressOf(env);
    return asking(address, withoutProfile(env), (client) => work({ address, client, profile: undefined }));
  }
  const profiles = new Profiles(env);
  const name = checkedName(named ?? (env.REEVE_PROFILE || profiles.read().current));
  const profile = profiles.find(name);
  if (!profile)
    throw new Failure(`there is no profile "${name}"; sign in by reeve login${named ? ` --profile ${named}` : ""}`);
  const signIn = new SignIn(profiles, name);
  const who = { token: () => signIn.token(), refused: () => signIn.refused() };
  return asking(profile.server, who, (client) => work({ address: profile.server, client, profile: name }));
}

function withoutProfile({ REEVE_TOKEN, REEVE_CLIENT_ID, REEVE_CLIENT_SECRET }: NodeJS.ProcessEnv): Who {
  if (REEVE_TOKEN) return { token: bearerToken(REEVE_TOKEN, "REEVE_TOKEN") };
  if (!REEVE_CLIENT_SECRET) throw new Failure("REEVE_CLIENT_SECRET is required with REEVE_CLIENT_ID");
  return { clientCredentials: { clientId: REEVE_CLIENT_ID as string, clientSecret: REEVE_CLIENT_SECRET } };
}
