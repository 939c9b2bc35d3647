import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { Profiles } from "../remote/profiles.js";
import { tableOf } from "../view/table.js";

/** Lists the sign-ins that are kept, or makes one that of commands that name none. */
export async function profiles({ env, output }: Invocation, chosen: string | undefined): Promise<ExitCode> {
  const file = new Profiles(env);
  if (chosen !== undefined) {
    if (!file.find(chosen)) throw new Failure(`there is no profile "${chosen}"; see reeve profiles`);
    await file.whileLocked(() => file.choose(chosen));
  }
  const { current, profiles: kept } = file.read();
  const rows = Object.entries(kept).map(([name, { server, username, expiresAt }]) => ({
    ...{ name, server, username, expiresAt },
    isCurrent: name === current,
  }));
  const columns = [
    { title: "in use", of: ({ isCurrent }: (typeof rows)[number]) => (isCurrent ? "*" : "") },
    { title: "profile", of: ({ name }: (typeof rows)[number]) => name, whole: true as const },
    { title: "user", of: ({ username }: (typeof rows)[number]) => username },
    { title: "server", of: ({ server }: (typeof rows)[number]) => server },
  ];
  if (rows.length === 0) output.print("no sign-in is kept; reeve login makes one");
  output.list(rows, rows.length === 0 ? [] : tableOf(rows, columns, output.width));
  return 0;
}
