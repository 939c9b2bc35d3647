import { z } from "zod";

const Id = z.int().positive();
const Text = z.string().min(1).max(400);

export const Account = z.object({ id: Id, login: Text, type: Text.optional() });
export type Account = z.output<typeof Account>;

export const Repository = z.object({
  id: Id,
  name: Text,
  full_name: Text,
  private: z.boolean(),
  archived: z.boolean().optional(),
  default_branch: Text.optional().catch(undefined),
  topics: z.array(Text).optional().catch(undefined),
  owner: Account,
});
export type Repository = z.output<typeof Repository>;

export const Team = z.object({ id: Id, name: Text, slug: Text, html_url: z.string() });
export type Team = z.output<typeof Team>;

export const Collaborator = Account.extend({
  role_name: Text.optional(),
  permissions: z.record(z.string(), z.boolean()).optional(),
});

export const Organisation = z.object({ id: Id, login: Text });
export const Membership = z.object({ state: z.enum(["active", "pending"]), role: z.enum(["member", "maintainer"]) });
export const Invitation = z.object({ id: Id, invitee: Account.nullable(), permissions: Text.optional() });
