import { Subdomain } from "#families/platform/index.js";
import { Name } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { Password, Username } from "../users/schema.js";

export const Register = z
  .strictObject({
    organization: Name.meta({ description: "Name of the organisation.", example: "Acme Ltd" }),
    username: Username,
    password: Password,
    name: Name.optional(),
    subdomain: Subdomain.optional(),
    verificationToken: z
      .string()
      .max(2_048)
      .optional()
      .meta({ description: "Proof of the address, where registration asks for it." }),
  })
  .meta({
    id: "Register",
    example: { organization: "Acme", username: "ada@acme.example", password: "correct horse battery staple" },
  });

export const Registered = z
  .object({
    id: z.string().meta({ description: "Id of the tenant." }),
    tenantId: z.string().meta({ description: "Id of the tenant." }),
    userId: z.string().meta({ description: "Id of the user." }),
    subdomain: z.string().meta({ description: "Subdomain of the tenant." }),
    tenantUrl: z.url().meta({ description: "Where the tenant is reached." }),
    status: z.literal("active").meta({ description: "State of the tenant." }),
  })
  .meta({ id: "Registered" });
