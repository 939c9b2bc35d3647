import {
  type ObservedGrant,
  type ObservedProfile,
  type Page,
  type PageRequest,
  type Principal,
  type PrincipalType,
  type ProfileQuery,
  pageOf,
  type ResourceType,
} from "@reeve/core/connectors";

/** The one kind of access to a group of a directory. */
export const MEMBER = "member";

/** Groups that keep their id, and have such members. */
export const groupType = (grantableTo: readonly PrincipalType[]): ResourceType => ({
  type: "group",
  displayName: "Group",
  idStability: "immutable",
  profileSource: "static",
  grantableTo,
});

/** Lists membership, which is all that there is to grant. */
export function profilesOf({ type, grantableTo }: ResourceType) {
  const profile: ObservedProfile = {
    externalId: MEMBER,
    resourceType: type,
    name: "Member",
    description: "Whatever the group gives.",
    permissions: [MEMBER],
    privilegeLevel: 2,
    grantableTo,
  };
  return async (_ctx: unknown, query: ProfileQuery, page: PageRequest): Promise<Page<ObservedProfile>> =>
    pageOf(query.resourceType === type ? [profile] : [], page);
}

/** Membership of one principal as a grant. */
export const memberGrant = (groupId: string, principal: Principal): ObservedGrant => ({
  resource: { type: "group", externalId: groupId },
  profileExternalId: MEMBER,
  principal,
  permissions: [MEMBER],
  source: "direct",
});
