import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { asking } from "../remote/asking.js";
import { checkedName, type Profile, Profiles } from "../remote/profiles.js";
import { Refusal } from "../remote/refusals.js";
import type { RemoteOptions } from "../remote/server.js";

/** Ends the token of a profile at its server, and forgets the profile. */
export async function logout(
  { env, output }: Invocation,
  { profile: named, all = false }: RemoteOptions & { all?: boolean },
): Promise<ExitCode> {
  const profiles = new Profiles(env);
  const kept = profiles.read();
  const names = all ? Object.keys(kept.profiles) : [checkedName(named ?? (env.REEVE_PROFILE || kept.current))];
  for (const name of names) {
    // A renewal that is under way ends first, so that its token is ended and not kept again.
    const { server } = await profiles.whileLocked(async () => {
      const profile = profiles.find(name);
      if (!profile) throw new Failure(`there is no profile "${name}"`);
      await ended(profile);
      profiles.remove(name);
      return profile;
    });
    output.result({ profile: name, server }, `signed out at ${server}, profile "${name}"`);
  }
  if (names.length === 0) output.print("there is no profile");
  return 0;
}

const ENDED: readonly unknown[] = ["invalid_token", "token_expired"];

/** The refresh token takes all with it that followed from the sign-in. What the server knows no more has ended. */
async function ended({ server, token, refreshToken }: Profile): Promise<void> {
  try {
    await asking(server, {}, (client) =>
      client.POST("/api/v1/auth/revoke", { body: { token: refreshToken ?? token } }),
    );
    if (refreshToken !== null) await asking(server, { token }, (client) => client.POST("/api/v1/auth/signout"));
  } catch (error) {
    if (!(error instanceof Refusal && ENDED.includes(error.code))) throw error;
  }
}
