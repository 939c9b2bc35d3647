import type { ConnectorContext } from "@reeve/core/connectors";
import { z } from "zod";
import { BaseUrl } from "../fields.js";

export const configuration = z.object({
  baseUrl: BaseUrl.meta({
    description: "Address of the server, below which its repositories are.",
    examples: ["https://fossil.example.com"],
  }),
  repositories: z
    .array(z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/))
    .min(1)
    .max(50)
    .meta({ description: "Names of the repositories. Fossil has no list of them." }),
  user: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "Who signs in: with capability `s` in each repository, or `a` to list only." }),
  branch: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .default("trunk")
    .meta({ description: "The branch that is searched for AI." }),
});

const Passwords = z.record(z.string().min(1).max(100), z.string().min(1).max(1_024));

export const secrets = z.object({
  password: z.string().min(1).max(1_024).meta({ description: "Password of the user." }),
  agentPasswords: z
    .string()
    .max(100_000)
    .refine((text) => passwordsIn(text) !== undefined, "A JSON object with a password for each user.")
    .optional()
    .meta({
      description:
        'For tools: the passwords of the users that agents act as, as a JSON object such as `{"bob": "…"}`. Tools run as that user, so that Fossil itself refuses what the user may not do.',
    }),
});

/** Passwords by user; `undefined` where the text is no such object. */
export function passwordsIn(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const { data } = Passwords.safeParse(JSON.parse(text));
    return data && new Map(Object.entries(data));
  } catch {
    return undefined;
  }
}

export type Fossil = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;
