import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { useMay, useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import type { Exemption } from "./terms.js";

const words = t.exemptions;
type Act = keyof typeof words.does;

const PATHS = {
  approve: "/api/v1/ai-governance/exemptions/{id}/approve",
  reject: "/api/v1/ai-governance/exemptions/{id}/reject",
  withdraw: "/api/v1/ai-governance/exemptions/{id}/withdraw",
  revoke: "/api/v1/ai-governance/exemptions/{id}/revoke",
} as const;

/** What one may do about an exemption. Each act is sent with the version on the screen; the server says who may decide. */
export function ExemptionActs({ exemption }: { readonly exemption: Exemption }) {
  const { id, status, requestedBy, name } = exemption;
  const may = useMay();
  const isOwn = requestedBy === useMe().id;
  const waits = status === "requested";
  const decides = waits && may("ai-exemption:approve") && !isOwn;
  const shown: Readonly<Record<Act, boolean>> = {
    approve: decides,
    reject: decides,
    withdraw: waits && may("ai-exemption:request") && (isOwn || may("ai-exemption:approve")),
    revoke: status === "approved" && may("ai-exemption:revoke"),
  };
  return (
    <>
      {(Object.keys(PATHS) as Act[]).map((act) => (
        <ReasonedAct
          key={act}
          isShown={shown[act]}
          label={words.acts[act]}
          title={`${words.acts[act]}: ${name}`}
          hint={words.does[act]}
          tone={act === "revoke" ? "danger" : "primary"}
          isMain={act === "approve"}
          stale={["exemption", "finding", "review"]}
          act={(body) => client.PATCH(PATHS[act], { params: { path: { id } }, ifMatch: exemption, body })}
        />
      ))}
      {(status === "approved" || status === "expired") && may("ai-exemption:request") && (
        <Link to="/findings/exemptions/new" search={{ renewalOf: id }}>
          {words.acts.renew}
        </Link>
      )}
    </>
  );
}
