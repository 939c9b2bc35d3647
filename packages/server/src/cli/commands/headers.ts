import type { ExitCode, Invocation } from "../command.js";
import { fileOf, readInstallation } from "../installation/credential-file.js";

interface Options {
  readonly file?: string;
}

/** Prints the headers by which a client sends its telemetry as this installation, as its headers helper. */
export async function headers({ env, output }: Invocation, options: Options): Promise<ExitCode> {
  const { credential } = readInstallation(fileOf(env, options.file));
  output.text(JSON.stringify({ Authorization: `Bearer ${credential}` }));
  return 0;
}
