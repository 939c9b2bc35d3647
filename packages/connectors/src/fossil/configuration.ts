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

export const secrets = z.object({
  password: z.string().min(1).max(1_024).meta({ description: "Password of the user." }),
});

export type Fossil = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;
