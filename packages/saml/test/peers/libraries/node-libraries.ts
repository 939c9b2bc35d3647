import { createRequire } from "node:module";
import { type Profile, SAML } from "@node-saml/node-saml";
import { Strategy } from "@node-saml/passport-saml";
import { certificatePem } from "../../../src/signature/algorithms.js";
import type { Accepted, Library, SetUp } from "./library.js";

const POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
const certificateIn = (metadata: string) => /<ds:X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? "";
const endpointIn = (metadata: string, name: string) =>
  new RegExp(`<md:${name} [^>]*Location="([^"]+)"`).exec(metadata)?.[1]?.replaceAll("&amp;", "&") ?? "";

const acceptedOf = ({ nameID, issuer: _issuer, ...attributes }: Profile): Accepted => ({ nameId: nameID, attributes });

/** What node-saml and passport-saml are given: addresses, and the certificate of the identity provider. */
const options = (entity: string, { acs, key, security }: SetUp, metadata = "") => ({
  callbackUrl: acs,
  issuer: `urn:${entity}:sp`,
  idpCert: metadata === "" ? "unknown" : certificatePem(certificateIn(metadata)),
  entryPoint: endpointIn(metadata, "SingleSignOnService"),
  ...(key ? { privateKey: key } : {}),
  ...security,
});

export function nodeSaml(): Library {
  let given: SetUp;
  let saml: SAML;
  return {
    async begin(setUp) {
      given = setUp;
      saml = new SAML(options("node-saml", given));
      return saml.generateServiceProviderMetadata(null, given.certificate);
    },
    async trust(metadata) {
      saml = new SAML(options("node-saml", given, metadata));
    },
    request: (relayState) => saml.getAuthorizeUrlAsync(relayState, undefined, {}),
    async accept(fields) {
      const { profile } = await saml.validatePostResponseAsync({ ...fields });
      if (!profile) throw new Error("nobody");
      return acceptedOf(profile);
    },
  };
}

export function passportSaml(): Library {
  let given: SetUp;
  let strategy: Strategy;
  const make = (metadata?: string) => {
    const found = (profile: Profile | null, done: (error: Error | null, user?: Record<string, unknown>) => void) =>
      done(null, { ...profile });
    return new Strategy(options("passport-saml", given, metadata), found, found);
  };
  /** Runs the strategy as passport does: with the ways to end that it puts on it. */
  const run = (request: object) =>
    new Promise<{ readonly url?: string; readonly user?: Profile }>((resolve, reject) => {
      const ends = {
        redirect: (url: string) => resolve({ url }),
        success: (user: Profile) => resolve({ user }),
        fail: (why: unknown) => reject(new Error(String(why))),
        error: reject,
      };
      Object.assign(Object.create(strategy), ends).authenticate({ query: {}, body: {}, ...request }, {});
    });
  return {
    async begin(setUp) {
      given = setUp;
      strategy = make();
      return strategy.generateServiceProviderMetadata(null, given.certificate);
    },
    async trust(metadata) {
      strategy = make(metadata);
    },
    request: async (RelayState) => (await run({ query: { RelayState } })).url ?? "",
    accept: async (body) => acceptedOf((await run({ method: "POST", body })).user as Profile),
  };
}

/** Its own types take those of browsers with them into every file. */
interface Samlify {
  ServiceProvider(options: object): {
    getMetadata(): string;
    createLoginRequest(idp: object, binding: "redirect"): { readonly context: string };
    parseLoginResponse(
      idp: object,
      binding: "post",
      request: { readonly body: object },
    ): Promise<{ readonly extract: { readonly nameID: string; readonly attributes: Accepted["attributes"] } }>;
  };
  IdentityProvider(options: object): object;
  setSchemaValidator(validator: { validate(): Promise<string> }): void;
}

export function ofSamlify(): Library {
  const samlify = createRequire(import.meta.url)("samlify") as Samlify;
  let sp: ReturnType<Samlify["ServiceProvider"]>;
  let idp: object;
  samlify.setSchemaValidator({ validate: async () => "not validated" });
  return {
    async begin({ acs, key, certificate, security }) {
      sp = samlify.ServiceProvider({
        entityID: "urn:samlify:sp",
        assertionConsumerService: [{ Binding: POST, Location: acs }],
        ...(key && certificate ? { privateKey: key, signingCert: certificate } : {}),
        ...security,
      });
      return sp.getMetadata();
    },
    async trust(metadata) {
      idp = samlify.IdentityProvider({ metadata });
    },
    request: async () => sp.createLoginRequest(idp, "redirect").context,
    async accept(body) {
      const { extract } = await sp.parseLoginResponse(idp, "post", { body });
      return { nameId: extract.nameID, attributes: extract.attributes };
    },
  };
}

interface Saml2Js {
  readonly ServiceProvider: new (
    options: object,
  ) => {
    create_metadata(): string;
    create_login_request_url(idp: object, options: object, done: (error: Error | null, url: string) => void): void;
    post_assert(
      idp: object,
      options: object,
      done: (error: Error | null, answer: { user: { name_id: string; attributes: Accepted["attributes"] } }) => void,
    ): void;
  };
  readonly IdentityProvider: new (options: object) => object;
}

/** It has no types of its own. */
export function saml2Js(): Library {
  const library = createRequire(import.meta.url)("saml2-js") as Saml2Js;
  let sp: InstanceType<Saml2Js["ServiceProvider"]>;
  let idp: object;
  const promised = <T>(ask: (done: (error: Error | null, value: T) => void) => void) =>
    new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value))));
  return {
    async begin({ acs, key, certificate, security }) {
      const own = { entity_id: "urn:saml2-js:sp", private_key: key, certificate, assert_endpoint: acs };
      sp = new library.ServiceProvider({ ...own, ...security });
      return sp.create_metadata();
    },
    async trust(metadata) {
      idp = new library.IdentityProvider({
        sso_login_url: endpointIn(metadata, "SingleSignOnService"),
        sso_logout_url: endpointIn(metadata, "SingleLogoutService"),
        certificates: [certificatePem(certificateIn(metadata))],
      });
    },
    request: (relay_state) => promised((done) => sp.create_login_request_url(idp, { relay_state }, done)),
    async accept(request_body) {
      const { user } = await promised<{ user: { name_id: string; attributes: Accepted["attributes"] } }>((done) =>
        sp.post_assert(idp, { request_body }, done),
      );
      return { nameId: user.name_id, attributes: user.attributes };
    },
  };
}
