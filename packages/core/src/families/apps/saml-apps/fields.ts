import { NAME_ID_FORMATS, SAML_BINDINGS } from "#ports/saml.js";
import { z } from "#schema/z.js";
import { URL_LENGTH } from "./register/urls.js";

export const NAME_ID_SOURCES = ["username", "id", "pairwise"] as const;
export const ATTRIBUTE_SOURCES = ["username", "name", "id", "roles", "kind", "tenantId", "value"] as const;

/** The most certificates that verify messages of one application. Each of them may be tried. */
const MOST_CERTIFICATES = 10;

/** PEM or base64 of its DER. */
const Pem = z.string().max(20_000);
const Url = z.string().min(1).max(URL_LENGTH);
const distinct = (items: readonly string[]) => new Set(items).size === items.length;

/** One attribute of assertions: its name, and where its values come from. */
export const MappedAttribute = z
  .strictObject({
    name: z.string().min(1).max(200).meta({ description: "As the application knows it." }),
    friendlyName: z.string().min(1).max(200).optional().meta({ description: "For people who read assertions." }),
    nameFormat: z.enum(["basic", "uri", "unspecified"]).default("basic").meta({ description: "Kind of `name`." }),
    source: z.enum(ATTRIBUTE_SOURCES).meta({ description: "What of the user; `value` for the same of all." }),
    value: z.string().max(1_000).optional().meta({ description: "The value, for the source `value`." }),
  })
  .refine(({ source, value }) => (source === "value") === (value !== undefined), "Only the source `value` has a value.")
  .meta({ id: "SamlMappedAttribute" });
export type MappedAttribute = z.output<typeof MappedAttribute>;

/** What a caller may set of the sign-on, at top level or inside `configuration`. */
export const SamlFields = z.object({
  entityId: z.string().trim().min(1).max(1_024).meta({ description: "Entity id of the service provider." }),
  acsUrls: z
    .array(Url)
    .min(1)
    .max(50)
    .refine(distinct, "An address appears twice.")
    .meta({ description: "Addresses that take responses by POST, the default first." }),
  acsIndexes: z
    .record(z.string().regex(/^(?:0|[1-9]\d{0,4})$/), Url)
    .refine((all) => Object.keys(all).length <= 50, "At most 50 addresses have an index.")
    .meta({ description: "Addresses among `acsUrls` by the index under which its requests may name them." }),
  signedRequests: z.boolean().meta({
    description:
      "Whether its requests to sign on must be signed. Metadata that say that it signs them set it, and none takes it back.",
  }),
  sloUrl: Url.nullable().meta({ description: "Address that takes logout messages." }),
  sloResponseUrl: Url.nullable().meta({ description: "Address for answers to its logout requests, if another." }),
  sloBinding: z.enum(SAML_BINDINGS).meta({ description: "How logout messages are sent." }),
  sloSoapUrl: Url.nullable().meta({ description: "Address that takes logouts from server to server, by SOAP." }),
  nameIdFormat: z.enum(NAME_ID_FORMATS).meta({ description: "Kind of name that it is told." }),
  nameIdFormats: z
    .array(z.enum(NAME_ID_FORMATS))
    .max(NAME_ID_FORMATS.length)
    .refine(distinct, "A kind appears twice.")
    .meta({ description: "Other kinds of name that it is told where it asks for them; those of its metadata." }),
  nameIdSource: z.enum(NAME_ID_SOURCES).meta({ description: "Which name; `pairwise` differs for each application." }),
  attributeMapping: z
    .array(MappedAttribute)
    .max(50)
    .refine((all) => distinct(all.map(({ name }) => name)), "A name appears twice.")
    .meta({ description: "Attributes that it is told." }),
  signedResponse: z.boolean().meta({ description: "Whether responses are signed besides assertions." }),
  encrypted: z.boolean().meta({ description: "Whether assertions are encrypted for its certificate." }),
  sessionMinutes: z.int().min(5).max(1_440).meta({ description: "Minutes until a session ends by itself." }),
});

/** What a caller may set of the application as people see it. */
export const ApplicationFields = z.object({
  description: z.string().trim().max(2_000).meta({ description: "What it is for." }),
  category: z.string().trim().max(100).meta({ description: "The group it is listed under." }),
  iconUrl: Url.nullable().meta({ description: "An image; pages of sign-on show none." }),
  launchUrl: Url.nullable().meta({ description: "Page to open after a sign-on from the launcher." }),
  visible: z.boolean().meta({ description: "Whether the launcher lists it." }),
});

/** Certificates and metadata, as they are given. */
export const GivenTrust = z.object({
  certificates: z
    .array(Pem)
    .max(MOST_CERTIFICATES)
    .meta({ description: "Certificates (PEM or base64) that verify its messages; all of them." }),
  encryptionCertificate: z
    .union([
      Pem.nullable(),
      z.looseObject({ certificate: Pem.meta({ description: "The certificate; the rest is not taken." }) }),
    ])
    .transform((given) => (typeof given === "object" ? (given?.certificate ?? null) : given))
    .meta({ description: "Certificate to encrypt for, also as the application shows it." }),
  metadataXml: z.string().max(65_536).meta({ description: "Its metadata, in place of fields." }),
  metadataUrl: Url.meta({ description: "Where its metadata are fetched from, once." }),
});

/** What metadata give, within the limits of the fields. */
export const DescribedFields = SamlFields.pick({ entityId: true, acsUrls: true }).extend({
  signingCertificates: z.array(z.unknown()).max(MOST_CERTIFICATES),
});

export const DEFAULTS = {
  acsIndexes: {},
  signedRequests: false,
  sloUrl: null,
  sloResponseUrl: null,
  sloBinding: "redirect",
  sloSoapUrl: null,
  nameIdFormat: "email",
  nameIdFormats: [],
  nameIdSource: "username",
  attributeMapping: [],
  signedResponse: true,
  encrypted: false,
  sessionMinutes: 480,
  description: "",
  category: "",
  iconUrl: null,
  launchUrl: null,
  visible: true,
} as const;
