import { defineCollection } from "#kernel/records/collection.js";
import { Metadata, Name } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { foldText } from "#store/comparison.js";
import { userStatus } from "./machine.js";
import { isWorkingOwner } from "./user-ownership.js";

/** An e-mail address, compared case-folded and normalised. Unique within a tenant. */
export const Username = z
  .email()
  .max(254)
  .meta({ description: "The e-mail address of the user.", example: "ada@acme.example" });

const Role = z
  .string()
  .max(64)
  .meta({ description: "Name of a built-in role or of one of the host's own.", example: "operator" });

const Roles = z
  .array(Role)
  .max(50)
  .refine((roles) => new Set(roles).size === roles.length, "A role appears twice.");

export const User = z
  .object({
    ...recordShape(z.enum(statesOf(userStatus))),
    username: z.string().meta({ description: "The e-mail address of the user." }),
    roles: z.array(Role).meta({ description: "Names of roles." }),
    invitations: z.int().min(0).meta({ description: "How often an invitation was issued." }),
  })
  .meta({ id: "User" });
export type User = z.output<typeof User>;

/** Users. A username is unique within its tenant; accounts of several tenants may share one. */
export const users = defineCollection<User>({
  name: "users",
  prefix: "usr",
  broadcast: true,
  scope: "platform",
  schema: User,
  limit: "users",
  resource: { type: "user", event: "user", path: "/api/v1/users", alsoAt: ["/api/v1/support/users"] },
  machines: { status: userStatus },
  fields: {
    username: { type: "text", compare: "caseless" },
    status: { type: "text" },
    name: { type: "text" },
    roles: { type: "texts" },
    ownership: {
      type: "text",
      of: (user) => (isWorkingOwner(user) ? "owner" : null),
    },
  },
  unique: { username: ["username"] },
  uniqueInTenant: ["username"],
  indexes: [{ where: ["ownership"] }, { where: ["status"] }, { where: [], by: "username" }, { where: [], by: "name" }],
  filters: {
    status: { values: statesOf(userStatus) },
    role: { field: "roles", description: "A role that they hold." },
    ownership: { values: ["owner"], description: "`owner`: active, in a role that may put everything else in order." },
  },
  orders: { username: "username", name: "name" },
  counted: ["ownership"],
});

/** A username as it is compared. */
export const foldUsername = foldText;

/** The longest password, in bytes of UTF-8. */
export const PASSWORD_BYTES = 1_024;

export const Password = z
  .string()
  .max(PASSWORD_BYTES)
  .refine((password) => Buffer.byteLength(password) <= PASSWORD_BYTES, `At most ${PASSWORD_BYTES} bytes.`)
  .meta({
    description:
      "Taken as typed; it does not matter whether letters with accents are typed as one character or as two, nor which kind of space is typed.",
    format: "password",
  });

export const UserCreate = z
  .strictObject({
    username: Username,
    name: Name.optional(),
    password: Password.optional().meta({
      description: "Makes the user active at once; without it the user is invited.",
    }),
    roles: Roles.default(["member"]).meta({ description: "Names of roles." }),
    metadata: Metadata.optional(),
  })
  .meta({
    id: "UserCreate",
    example: { username: "grace@acme.example", name: "Grace", password: "a phrase nobody knows", roles: [] },
  });

export const UserPatch = z
  .strictObject({
    name: Name.optional(),
    roles: Roles.optional().meta({ description: "Names of roles, all of them." }),
    status: z.enum(["active", "disabled"]).optional().meta({ description: "State to move to." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
    metadata: Metadata.optional().meta({ description: "A merge patch (RFC 7396) of the metadata." }),
  })
  .meta({ id: "UserPatch", example: { name: "Grace Hopper" } });
