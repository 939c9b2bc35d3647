import { checkIssuerKeys, guardedEgress, type TrustedIssuer } from "@reeve/core";
import type { Settings } from "../settings/settings.js";
import { reasonOf } from "./control-plane.js";
import { type Found, fault, ok, warning } from "./finding.js";

/** Whether the metadata and keys of each trusted issuer can be had. The server starts without them, and asks again. */
export async function issuersFinding({ trustedIssuers, egressAllow }: Settings): Promise<Found> {
  if (trustedIssuers.length === 0) return ok("none are set");
  const egress = guardedEgress({ allow: egressAllow });
  const found = await Promise.all(trustedIssuers.map((trusted) => issuerFinding(egress, trusted)));
  const worst = ["fault", "warning"].find((outcome) => found.some((one) => one.outcome === outcome));
  const shown = worst === undefined ? found : found.filter(({ outcome }) => outcome !== "ok");
  const detail = shown.map((one) => one.detail).join("; ");
  if (worst === undefined) return ok(detail);
  return worst === "fault" ? fault(detail) : warning(detail);
}

async function issuerFinding(egress: ReturnType<typeof guardedEgress>, trusted: TrustedIssuer): Promise<Found> {
  const { issuer } = trusted;
  try {
    const { usable, leftOut } = await checkIssuerKeys(egress, trusted);
    if (usable === 0) return fault(`${issuer} has no key that can be used`);
    const [odd] = leftOut;
    if (odd) return warning(`${issuer}: ${odd.part} is left out: ${odd.reason}`);
    return ok(`${issuer} has ${usable} ${usable === 1 ? "key" : "keys"}`);
  } catch (error) {
    return fault(`${issuer}: ${reasonOf(error)}; correct the issuer, or REEVE_EGRESS_ALLOW where it is not public`);
  }
}
