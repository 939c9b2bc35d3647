import { createInterface } from "node:readline/promises";
import { Failure } from "../../failure.js";
import { isLoopback } from "../../settings/values.js";
import type { ExitCode, Invocation } from "../command.js";
import { readSecret } from "../read-secret.js";
import { addressOf, asking, bearerToken } from "../remote/asking.js";
import { checkedName, type Profile, Profiles } from "../remote/profiles.js";
import { Refusal } from "../remote/refusals.js";

interface Options {
  readonly user?: string;
  readonly tenant?: string;
  readonly token?: boolean;
  readonly profile?: string;
}

/** Signs in at a server and keeps the token in a profile, which becomes the one in use. */
export async function login(invocation: Invocation, server: string | undefined, options: Options): Promise<ExitCode> {
  const { env, output } = invocation;
  const address = addressOf(env, server);
  const name = checkedName(options.profile ?? (env.REEVE_PROFILE || "default"));
  const { protocol, hostname } = new URL(address);
  if (protocol === "http:" && !isLoopback(hostname.replaceAll(/[[\]]/g, "")))
    output.print(`warning: ${address} is reached without encryption, and others may read the password`);
  const profiles = new Profiles(env);
  profiles.read();
  const profile = options.token ? await tokenAt(invocation, address) : await signedIn(invocation, address, options);
  await profiles.whileLocked(() => profiles.keep(name, profile, true));
  const { username, expiresAt } = profile;
  output.result(
    { profile: name, server: address, username, expiresAt },
    `${username} is signed in at ${address}, in the profile "${name}"`,
  );
  return 0;
}

async function signedIn(invocation: Invocation, server: string, { user, tenant }: Options): Promise<Profile> {
  const username = user ?? (await askedName());
  const { output } = invocation;
  if (process.stdin.isTTY) output.print(`Password of ${username}:`);
  const body = { username, password: await readSecret("password"), ...(tenant === undefined ? {} : { tenant }) };
  const { data } = await asking(server, {}, (client) => client.POST("/api/v1/auth/signin", { body })).catch(
    tenantNamed,
  );
  const { token, expiresAt, refreshToken, refreshExpiresAt } = data;
  return { server, username: data.user.username, token, expiresAt, refreshToken, refreshExpiresAt };
}

async function tokenAt({ output }: Invocation, server: string): Promise<Profile> {
  if (process.stdin.isTTY) output.print("Token:");
  const token = bearerToken(await readSecret("token"), "standard input");
  const { data } = await asking(server, { token }, (client) => client.GET("/api/v1/me"));
  return { server, username: data.username, token, expiresAt: null, refreshToken: null, refreshExpiresAt: null };
}

async function askedName(): Promise<string> {
  if (!process.stdin.isTTY) throw new Failure("--user is missing");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question("User name: ")).trim();
  } finally {
    lines.close();
  }
}

function tenantNamed(error: unknown): never {
  if (error instanceof Refusal && error.code === "tenant_required")
    throw new Refusal(error.code, ...error.reasons, "name the tenant by --tenant");
  throw error;
}
