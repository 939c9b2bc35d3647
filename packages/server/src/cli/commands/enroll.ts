import { hostname } from "node:os";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { post } from "../installation/ask.js";
import { fileOf, writeInstallation } from "../installation/credential-file.js";
import { readSecret } from "../read-secret.js";

interface Options {
  readonly client: string;
  readonly clientVersion?: string;
  readonly name?: string;
  readonly file?: string;
  readonly shared?: boolean;
}

const PATIENCE_MS = 30_000;

/** Enrols this machine by a code, and keeps the credential of the installation in a file. */
export async function enroll({ env, output }: Invocation, server: string, options: Options): Promise<ExitCode> {
  if (!URL.canParse(server)) throw new Failure("the server is an address, as https://reeve.acme.example");
  const file = fileOf(env, options.file);
  const code = env.REEVE_ENROLMENT_CODE || (await readSecret("enrolment code"));
  const { client, clientVersion, name = hostname() } = options;
  const body = {
    code: code.trim(),
    client,
    name,
    platform: process.platform,
    ...(clientVersion ? { clientVersion } : {}),
  };
  const answer = Object(await post(server, "/api/v1/ai/installations/enrol", JSON.stringify(body), PATIENCE_MS));
  const { id: installationId, credential, expiresAt } = answer;
  const kept = { server, client, installationId, credential, expiresAt };
  writeInstallation(file, kept, options.shared ? 0o644 : 0o600);
  output.result({ installationId, client, file, expiresAt }, `${name} is enrolled as ${installationId}, in ${file}`);
  return 0;
}
