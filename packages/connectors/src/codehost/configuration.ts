import type { ConnectorContext } from "@reeve/core/connectors";
import { z } from "zod";
import { BaseUrl, HeaderSecret } from "../fields.js";

export const configuration = z.object({
  baseUrl: BaseUrl.default("https://api.github.com").meta({
    description: "Address of the REST interface. Of GitHub Enterprise Server it ends in `/api/v3`.",
    examples: ["https://github.example.com/api/v3"],
  }),
  owners: z
    .array(z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/))
    .max(100)
    .optional()
    .meta({ description: "Organisations and users whose repositories and teams are looked at. All when absent." }),
});

export const secrets = z.object({
  token: HeaderSecret.meta({ description: "A personal access token of an account for this purpose." }),
});

export type CodeHost = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;
