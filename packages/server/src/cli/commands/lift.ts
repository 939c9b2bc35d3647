import type { ExitCode, Invocation } from "../command.js";
import { type RemoteOptions, withServer } from "../remote/server.js";

/** Lifts a halt, or asks for that where it takes two people. */
export async function lift(
  invocation: Invocation,
  id: string,
  { reason, ...options }: RemoteOptions & { reason?: string },
): Promise<ExitCode> {
  await withServer(invocation, options, async ({ client }) => {
    const body = reason === undefined ? {} : { reason };
    const { data } = await client.POST("/api/v1/ai/halts/{id}/lift", { params: { path: { id } }, body });
    const said = data.status === "lifted" ? "is lifted" : "is lifted once a four-eyes approver asks the same";
    invocation.output.result(data, `"${data.name}" (${id}) ${said}`);
  });
  return 0;
}
