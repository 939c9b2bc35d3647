import { type ApplyResult, ConnectorError, type GrantSpec, type VerifyResult } from "@reeve/core/connectors";
import { type Api, apiOf } from "./api.js";
import type { CodeHost } from "./configuration.js";
import { changeRole, grantRole, pollInvitation, revokeRole, verifyRole } from "./repository-access.js";
import {
  changeMembership,
  grantMembership,
  pollMembership,
  revokeMembership,
  verifyMembership,
} from "./team-access.js";

/** How access to one type of resource is granted. */
interface Access {
  grant(api: Api, spec: GrantSpec): Promise<ApplyResult>;
  revoke(api: Api, spec: GrantSpec): Promise<ApplyResult>;
  modify(api: Api, from: GrantSpec, to: GrantSpec): Promise<ApplyResult>;
  verify(api: Api, spec: GrantSpec): Promise<VerifyResult>;
}

const repository: Access = { grant: grantRole, revoke: revokeRole, modify: changeRole, verify: verifyRole };
const team: Access = {
  grant: grantMembership,
  revoke: revokeMembership,
  modify: changeMembership,
  verify: verifyMembership,
};

function accessTo({ resource: { type } }: GrantSpec): Access {
  if (type === "repository") return repository;
  if (type === "team") return team;
  throw new ConnectorError("unsupported", "Access to this type of resource is not granted.", { code: "resource_type" });
}

export async function grant(ctx: CodeHost, spec: GrantSpec): Promise<ApplyResult> {
  return accessTo(spec).grant(await apiOf(ctx), spec);
}

export async function revoke(ctx: CodeHost, spec: GrantSpec): Promise<ApplyResult> {
  return accessTo(spec).revoke(await apiOf(ctx), spec);
}

export async function verify(ctx: CodeHost, spec: GrantSpec): Promise<VerifyResult> {
  return accessTo(spec).verify(await apiOf(ctx), spec);
}

export async function modify(ctx: CodeHost, from: GrantSpec, to: GrantSpec): Promise<ApplyResult> {
  const same =
    from.resource.type === to.resource.type &&
    from.resource.externalId === to.resource.externalId &&
    from.principal.externalId === to.principal.externalId;
  if (!same) throw new ConnectorError("invalid", "Only the role of a grant is changed.", { code: "subject" });
  return accessTo(to).modify(await apiOf(ctx), from, to);
}

export async function pollOperation(ctx: CodeHost, externalOpRef: string): Promise<ApplyResult> {
  const poll = externalOpRef.startsWith("team:") ? pollMembership : pollInvitation;
  return poll(await apiOf(ctx), externalOpRef);
}
