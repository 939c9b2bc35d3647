import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import type { Policy, PolicyStatus } from "../terms.js";
import { useActivation } from "./activation.js";
import { STALE } from "./policy-query.js";

const words = t.policies;

/** Where each move leads, and from where. The server says whether it may be made. */
const MOVES = {
  observe: { to: "observe", from: ["draft", "active", "disabled"] },
  activate: { to: "active", from: ["draft", "observe", "disabled"] },
  disable: { to: "disabled", from: ["active", "observe"] },
  archive: { to: "archived", from: ["draft", "disabled"] },
} as const satisfies Record<string, { readonly to: PolicyStatus; readonly from: readonly PolicyStatus[] }>;

type Move = keyof typeof MOVES;
type Act = keyof typeof words.does;

/** What one may do about a policy. Each act is sent with the version on the screen. */
export function PolicyActs({ policy }: { readonly policy: Policy }) {
  const may = useMay();
  const { mine } = useActivation(policy);
  const { status, pending, kind, name } = policy;
  const comesFrom = (move: Move) => (MOVES[move].from as readonly string[]).includes(status);
  const moves = may("ai-policy:activate") ? (Object.keys(MOVES) as Move[]).filter(comesFrom) : [];
  const isEvaluated = status === "observe" || status === "active";
  const acts: readonly Act[] = [
    ...(kind === "posture" && isEvaluated && may("ai-evaluation:run") ? ["evaluate" as const] : []),
    ...moves.filter((move) => move !== "activate" || mine?.mayDecide === true),
    ...(comesFrom("activate") && may("ai-policy:write") && !pending ? ["request" as const] : []),
  ];
  return (Object.keys(words.does) as Act[]).map((act) => (
    <ReasonedAct
      key={act}
      isShown={acts.includes(act)}
      label={words.acts[act]}
      title={`${words.acts[act]}: ${name}`}
      hint={words.does[act]}
      tone={act === "disable" ? "danger" : "primary"}
      isMain={act === "activate"}
      isPlain={act === "evaluate"}
      stale={STALE}
      act={(why) => send(act, policy, why)}
    />
  ));
}

function send(act: Act, policy: Policy, why: { readonly reason?: string }): Promise<unknown> {
  const { id } = policy;
  const params = { path: { id } };
  if (act === "evaluate")
    return client.POST("/api/v1/ai-governance/evaluations/run", {
      body: { name: words.runs.title, mode: "full", scope: { policyIds: [id] } },
    });
  if (act === "request")
    return client.POST("/api/v1/ai-governance/policies/{id}/activation-request", { params, body: why });
  const body = { status: MOVES[act].to, ...why };
  return client.PUT("/api/v1/ai-governance/policies/{id}", { params, ifMatch: policy, body });
}
