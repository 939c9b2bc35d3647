import { type Client, ProblemError } from "@reeve/client";
import { refusalOf } from "../remote/refusals.js";
import type { Server } from "../remote/server.js";
import { comparePolicy, type Policy, wantedOf, withPending } from "./compare-policy.js";
import type { PolicyInFile } from "./policy-files.js";

/** What became of a policy. `waits`: somebody else has to put it in force. */
export interface AppliedPolicy {
  readonly key: string;
  readonly file: string;
  readonly outcome: "created" | "updated" | "unchanged" | "waits" | "refused";
  /** The fields that were changed. */
  readonly fields: readonly string[];
  readonly why: string;
}

/** Refusals of a move that another person may do. */
const FOR_OTHERS: readonly unknown[] = ["self_approval_forbidden", "related_party_forbidden", "permission_denied"];
const WAITS = "a four-eyes approver decides: see reeve reviews";

type Fields = Readonly<Record<string, unknown>>;

/** How often a policy is read again that has changed since, as an evaluation changes it too. */
const MOST_READS = 5;

/** Has the server hold what a file says of a policy. A repeat changes nothing. */
export async function applyPolicy(
  server: Server,
  file: PolicyInFile,
  policy: Policy | undefined,
  reason: string | undefined,
): Promise<AppliedPolicy> {
  let read = policy;
  for (let reads = 1; ; reads += 1) {
    const applied = await applyOnce(server, file, read, reason);
    if (applied !== CHANGED) return applied;
    if (!read || reads === MOST_READS) {
      const why = "it keeps changing while it is applied; repeat the command";
      return { key: file.key, file: file.file, outcome: "refused", fields: [], why };
    }
    const params = { path: { id: read.id } };
    read = (await server.client.GET("/api/v1/ai-governance/policies/{id}", { params })).data;
  }
}

/** The policy has changed since it was read. */
const CHANGED = "changed";

async function applyOnce(
  { client, address }: Server,
  file: PolicyInFile,
  policy: Policy | undefined,
  reason: string | undefined,
): Promise<AppliedPolicy | typeof CHANGED> {
  const about = { key: file.key, file: file.file };
  const wanted = wantedOf(file, policy);
  const differing = placesIn(policy, wanted);
  if (policy && differing.length === 0) return { ...about, outcome: "unchanged", fields: [], why: "" };
  if (policy?.pending && placesIn(withPending(policy), wanted).length === 0)
    return { ...about, outcome: "waits", fields: differing, why: WAITS };
  const fields = policy ? pick(wanted, differing) : file.fields;
  const written = policy ? "updated" : "created";
  const write = (given: Fields) =>
    attempt(address, store(client, policy, { ...given, ...(reason === undefined ? {} : { reason }) }));
  const first = await write(fields);
  if (!first.code)
    return { ...about, outcome: first.waits ? "waits" : written, fields: differing, why: first.waits ? WAITS : "" };
  if (first.code === "precondition_failed") return CHANGED;
  const { status, ...rest } = fields;
  if (status === undefined || !FOR_OTHERS.includes(first.code)) return refused(about, first);
  const second = !policy || Object.keys(rest).length > 0 ? await write(rest) : undefined;
  if (second?.code === "precondition_failed") return CHANGED;
  if (second?.code) return refused(about, second);
  const moved = `somebody else has to move it to ${status}, as by reeve policy apply`;
  return { ...about, outcome: "waits", fields: Object.keys(rest), why: `${moved}: ${first.why}` };
}

/** What came of a write: whether it waits, or the code and the reasons of the refusal. */
interface Attempt {
  readonly waits: boolean;
  readonly code?: string;
  readonly why: string;
}

/** Rejects for what does not belong to one policy: a server that fails, and a token that is not good. */
async function attempt(address: string, write: Promise<Policy>): Promise<Attempt> {
  try {
    return { waits: (await write).pending !== null, why: "" };
  } catch (error) {
    if (!ProblemError.is(error) || error.status >= 500 || error.status === 401) throw error;
    const { code = "refused", reasons } = refusalOf(error, address);
    return { waits: false, code, why: reasons.join("; ") };
  }
}

const refused = (about: Pick<AppliedPolicy, "key" | "file">, { why }: Attempt): AppliedPolicy => ({
  ...about,
  outcome: "refused",
  fields: [],
  why,
});

async function store(client: Client, policy: Policy | undefined, fields: Fields): Promise<Policy> {
  const body = fields as never;
  if (!policy) return (await client.POST("/api/v1/ai-governance/policies", { body })).data;
  const init = { params: { path: { id: policy.id } }, ifMatch: policy, body };
  return (await client.PUT("/api/v1/ai-governance/policies/{id}", init)).data;
}

/** The fields that differ. */
function placesIn(policy: Partial<Policy> | undefined, wanted: Fields): string[] {
  return Object.keys(wanted).filter((name) => comparePolicy(policy ?? {}, { [name]: wanted[name] }).length > 0);
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));
