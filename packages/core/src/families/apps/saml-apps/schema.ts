import { defineCollection } from "#kernel/records/collection.js";
import { Attributes, Configuration } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { READ_ONLY, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Certificate } from "../engine/fields.js";
import { ApplicationFields, SamlFields } from "./fields.js";
import { samlAppStatus } from "./machine.js";

const LeftOut = z.object({
  part: z
    .enum(["signing_key", "encryption_key", "acs_url", "slo_url", "slo_response_url", "slo_soap_url"])
    .meta({ description: "Kind of part." }),
  value: z.string().meta({ description: "Which: an address, or how a certificate begins." }),
  why: z.string().meta({ description: "Why it cannot be used." }),
});

/** An application of the tenant that people sign on to by SAML. */
export const SamlApp = z
  .object({
    ...recordShape(z.enum(statesOf(samlAppStatus))),
    ...SamlFields.shape,
    ...ApplicationFields.shape,
    signingCertificates: z.array(Certificate).meta({ description: "Any of them verifies its messages." }),
    encryptionCertificate: z
      .object(Certificate.shape)
      .nullable()
      .meta({ description: "For whom assertions are encrypted." }),
    metadataAt: Time.nullable().meta({ description: "When metadata were read." }),
    metadataLeftOut: z.array(LeftOut).meta({ description: "What of the metadata could not be used, and is left out." }),
    configuration: Configuration,
    attributes: Attributes,
  })
  .meta({ id: "SamlApp" });
export type SamlApp = z.output<typeof SamlApp>;

export const APP_READ_ONLY = [...READ_ONLY, "signingCertificates", "metadataAt", "metadataLeftOut"] as const;

export const samlApps = defineCollection<SamlApp>({
  name: "saml_apps",
  prefix: "sapp",
  schema: SamlApp,
  resource: {
    type: "saml_app",
    event: "saml.app",
    path: "/api/v1/saml-apps",
    alsoAt: ["/api/v1/apps", "/api/v1/user/app"],
  },
  machines: { status: samlAppStatus },
  fields: {
    status: { type: "text" },
    name: { type: "text", compare: "caseless" },
    entityId: { type: "text", compare: "exact" },
    category: { type: "text" },
    updatedAt: { type: "time" },
  },
  unique: { entityId: ["entityId"], name: ["name"] },
  indexes: [{ where: ["status"] }, { where: ["category"] }, { where: [], by: "name" }, { where: [], by: "updatedAt" }],
  filters: { status: { values: statesOf(samlAppStatus) }, category: {} },
  orders: { name: "name", updatedAt: "updatedAt" },
  counted: ["status"],
  search: ({ name, entityId, description }) => `${name} ${entityId} ${description}`,
  retain: true,
});

const Usage = z.object({
  /** Id of the application. */
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  signOns: z.int().min(0),
  lastSignOnAt: Time.nullable(),
  failures: z.int().min(0),
  lastFailureAt: Time.nullable(),
  lastFailure: z.string().nullable(),
});
export type Usage = z.output<typeof Usage>;

/** How each application is used, apart from its record, whose version would rise with every sign-on. */
export const samlAppUsage = defineCollection<Usage>({
  name: "saml_app_usage",
  prefix: null,
  schema: Usage,
  secrets: [],
});
