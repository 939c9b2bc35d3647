import { samlEngine } from "@reeve/saml";
import { appBody, newApp, newSignOn, providerKey, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/saml-apps";
const REASON = "because a test wants it so";
let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const ask = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });
const create = (more: object) => ask("POST", `${PATH}/create`, { ...appBody(world.a), ...more });

/** A certificate of a key on a curve. */
const CURVE =
  "MIIBgDCCASegAwIBAgIUbBexYrRuHOKVgpPw4zUkDTabUlkwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwKc3AuZXhhbXBsZTAgFw0yNjExMjYyMDExMTFaGA8yMTI2MTEwMjIwMTExMVowFTETMBEGA1UEAwwKc3AuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNZTezRLme17g+uZ5xejPCMhXITsx52P/to40kizp4tNY54XjWckPHuW/maZy/jUWSK9erVsVXPij/yXVi3vAqmjUzBRMB0GA1UdDgQWBBSBTeLFyE5I89+27nbPwgP48bS31jAfBgNVHSMEGDAWgBSBTeLFyE5I89+27nbPwgP48bS31jAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIE3AfOj4p2x+BK0AQvOeaQVPqKhUQh6PECLEDMpQU+yxAiApdisRXNz2eKywdMepwWUF+ek5OtwzUHnOiQqpil79vw==";
/** One without a subject. */
const NOBODY =
  "MIIBVjCB/aADAgECAhRAxFd+j4lNDkfhgM1XNuHnnJcbhzAKBggqhkjOPQQDAjAAMCAXDTI2MTEyNjIwMTExMVoYDzIxMjYxMTAyMjAxMTExWjAAMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEC7prJ0Eex3xLx79BzIVtyWZylo3n8fwxTLmJ6UPjMrXg71Uj6P0fJVtvNdSosdW2Hf68SqzVkYA4dnvhmgLqQKNTMFEwHQYDVR0OBBYEFPMGYAKs1wUA7SSHo6+pvpnXPYW3MB8GA1UdIwQYMBaAFPMGYAKs1wUA7SSHo6+pvpnXPYW3MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAOCPutz3JzANtaISijvnPcn5/XpdGzhUm12IzhCQuzGGAiBjVnNlJ6/SiWfMb03TbaIBj475/8bFAsCi7LCkmvd/IQ==";

/** The same certificate with letters in the time from which it holds. */
function withoutTime(certificate: string): string {
  const der = Buffer.from(certificate, "base64");
  der.write("xx", der.indexOf(Buffer.from([0x17, 0x0d])) + 6);
  return der.toString("base64");
}

const metadata = (entityId: string, certificate: string) =>
  `<!-- by hand --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}"><md:SPSSODescriptor AuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://sp.example/slo"/><md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat><md:AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/acs"/></md:SPSSODescriptor></md:EntityDescriptor>`;

describe("an application", () => {
  it("is registered by its metadata, and a field wins over them", async () => {
    const { certificate, fingerprint } = await providerKey();
    const entityId = `https://${world.a.unique()}.example`;
    const body = { metadataXml: metadata(entityId, certificate), name: world.a.unique(), nameIdFormat: "email" };
    const { status, json } = await ask("POST", `${PATH}/create`, body);
    expect([status, json]).toMatchObject([
      200,
      {
        entityId,
        status: "draft",
        acsUrls: ["https://sp.example/acs"],
        sloUrl: "https://sp.example/slo",
        nameIdFormat: "email",
        signingCertificates: [{ fingerprint }],
        encryptionCertificate: { fingerprint },
      },
    ]);
    expect(json).not.toHaveProperty("metadataXml");
    const bare = metadata(entityId, certificate).replace(/<md:KeyDescriptor>.*<\/md:KeyDescriptor>/, "");
    const { json: after } = await ask("PUT", `${PATH}/${json.id}`, { metadataXml: bare });
    expect(after.signingCertificates).toEqual(json.signingCertificates);
  });

  it("is not encrypted for a key that nothing can be encrypted for, when it is made or later", async () => {
    const refusal = { status: 400, code: "invalid_request", errors: [{ pointer: "/encryptionCertificate" }] };
    const made = { encrypted: true, encryptionCertificate: CURVE };
    expect((await create(made)).json).toMatchObject(refusal);
    const { json } = await create({ encryptionCertificate: CURVE });
    expect((await ask("PUT", `${PATH}/${json.id}`, { encrypted: true })).json).toMatchObject(refusal);
    const { certificate } = await providerKey();
    const given = { encrypted: true, encryptionCertificate: certificate };
    expect((await ask("PUT", `${PATH}/${json.id}`, given)).json).toMatchObject({ encrypted: true });
    expect((await ask("PUT", `${PATH}/${json.id}`, { encryptionCertificate: CURVE })).json).toMatchObject(refusal);
    const entityId = `https://${world.a.unique()}.example`;
    const { json: described } = await create({ entityId: undefined, metadataXml: metadata(entityId, CURVE) });
    expect(described).toMatchObject({ signingCertificates: [{ certificate: CURVE }], encryptionCertificate: null });
  });

  it("takes from metadata what it takes in fields, and no more", async () => {
    const { certificate } = await providerKey();
    const described = (addresses: number, more: string) => {
      const whole = metadata(`https://${world.a.unique()}.example`, certificate);
      const [service = ""] = /<md:AssertionConsumerService [^>]*>/.exec(whole) ?? [];
      const others = Array.from({ length: addresses }, (_, at) => service.replace("/acs", `/acs/${at}`));
      const metadataXml = whole.replace(service, others.join("")).replace("sp.example/slo", `sp.example/slo${more}`);
      return ask("POST", `${PATH}/create`, { metadataXml, name: world.a.unique() });
    };
    const { status, json } = await described(50, "");
    expect([status, json.acsUrls.length]).toEqual([200, 50]);
    const sentBack = await ask("PUT", `${PATH}/${json.id}`, { ...json, description: "The same" });
    expect([sentBack.status, sentBack.text]).toEqual([200, expect.any(String)]);
    expect((await described(51, "")).json).toMatchObject({
      refusal: "metadata_invalid",
      detail: "They have too many addresses that take responses.",
    });
    const long = await described(1, "x".repeat(2_048));
    expect(long.json).toMatchObject({ sloUrl: null, metadataLeftOut: [{ part: "slo_url" }] });
  });

  it("takes ten certificates from metadata, as it takes in fields", async () => {
    const some = Array.from({ length: 11 }, (_, at) => {
      const der = Buffer.from(CURVE, "base64");
      der[der.length - 1] = at;
      return der.toString("base64");
    });
    const described = (certificates: readonly string[]) => {
      const whole = metadata(`https://${world.a.unique()}.example`, "");
      const [key = ""] = /<md:KeyDescriptor>.*<\/md:KeyDescriptor>/.exec(whole) ?? [];
      const keys = certificates.map((one) => key.replace("X509Certificate>", `X509Certificate>${one}`));
      return ask("POST", `${PATH}/create`, { metadataXml: whole.replace(key, keys.join("")), name: world.a.unique() });
    };
    expect((await described(some.slice(1))).json.signingCertificates).toHaveLength(10);
    const refusal = { code: "invalid_request", errors: [{ pointer: "/signingCertificates" }] };
    expect((await described(some)).json).toMatchObject(refusal);
    expect((await create({ certificates: some.slice(1) })).status).toBe(200);
    expect((await create({ certificates: some })).json).toMatchObject({ errors: [{ pointer: "/certificates" }] });
  });

  it("may have a certificate without a subject", async () => {
    const { status, json } = await create({ certificates: [NOBODY] });
    expect([status, json.signingCertificates]).toEqual([200, [expect.objectContaining({ subject: "" })]]);
  });

  it.each<[string, object, string]>([
    ["an address without https", { acsUrls: ["http://sp.example/acs"] }, "invalid_request"],
    ["an address of a script", { acsUrls: ["javascript:alert(1)"] }, "invalid_request"],
    ["an address with user info", { acsUrls: ["https://x@sp.example/acs"] }, "invalid_request"],
    ["an address with a fragment", { sloUrl: "https://sp.example/slo#x" }, "invalid_request"],
    ["encryption without a certificate", { encrypted: true }, "invalid_request"],
    ["a certificate that is none", { certificates: ["AAAA"] }, "saml_invalid"],
    ["a certificate whose time is none", { certificates: [withoutTime(CURVE)] }, "saml_invalid"],
    ["metadata with a document type", { metadataXml: "<!DOCTYPE x><x/>" }, "saml_invalid"],
    ["metadata of a local address", { metadataUrl: "http://127.0.0.1:9/metadata" }, "target_not_allowed"],
    [
      "a value without its source",
      { attributeMapping: [{ name: "x", source: "name", value: "y" }] },
      "invalid_request",
    ],
  ])("is refused with %s, and nothing is stored", async (_what, more, code) => {
    const before = await recordsOf(world.a);
    expect((await create(more)).json.code).toBe(code);
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("has an entity id of its own in the tenant, which another tenant may have too", async () => {
    const { entityId } = await newApp(world.a);
    expect((await create({ entityId })).json.code).toBe("already_exists");
    expect((await newApp(world.b, { entityId })).entityId).toBe(entityId);
  });

  it("takes several certificates while it changes its own", async () => {
    const { certificate } = await providerKey();
    const { id } = await newApp(world.a, { certificates: [certificate] });
    expect((await ask("PUT", `${PATH}/${id}`, { certificates: [] })).json.signingCertificates).toEqual([]);
    const { json } = await ask("PUT", `${PATH}/${id}`, { certificates: [certificate] });
    expect(json.signingCertificates).toHaveLength(1);
    expect((await ask("PUT", `${PATH}/${id}`, json)).json.version).toBe(json.version);
  });

  it("can be sent back as it was shown, and has a life of its own", async () => {
    const { json } = await create({});
    expect((await ask("PUT", `${PATH}/${json.id}`, { status: "disabled", reason: REASON })).json.code).toBe(
      "invalid_transition",
    );
    expect((await ask("PUT", `${PATH}/${json.id}`, { status: "active" })).json.status).toBe("active");
    expect((await ask("PUT", `/api/v1/apps/${json.id}`, { status: "disabled", reason: REASON })).json.status).toBe(
      "disabled",
    );
  });

  it("is previewed for somebody before it is used", async () => {
    const { userId, username } = await world.a.newUser(["member"]);
    const { id } = await newApp(world.a, { nameIdFormat: "persistent", nameIdSource: "pairwise" });
    const attributeMapping = [
      { name: "mail", source: "username" },
      { name: "roles", source: "roles" },
      { name: "plan", source: "value", value: "gold" },
    ];
    const { json } = await ask("POST", `${PATH}/${id}/preview`, { userId, attributeMapping });
    expect(json.attributes).toEqual([
      { name: "mail", values: [username] },
      { name: "roles", values: ["member"] },
      { name: "plan", values: ["gold"] },
    ]);
    expect(json.nameId).not.toContain(username);
    const other = await newApp(world.a, { nameIdFormat: "persistent", nameIdSource: "pairwise" });
    expect((await ask("POST", `${PATH}/${other.id}/preview`, { userId })).json.nameId).not.toBe(json.nameId);
    expect((await ask("POST", `${PATH}/${id}/preview`, { userId: world.b.owner.userId })).json.code).toBe(
      "invalid_reference",
    );
  });

  it("is previewed of others by those only who may see people", async () => {
    const member = await world.a.newUser(["member"]);
    const { id } = await newApp(world.a);
    const preview = (body: object) => world.send("POST", `${PATH}/${id}/preview`, { token: member.token, body });
    expect((await preview({})).json.attributes).toEqual([{ name: "mail", values: [member.username] }]);
    expect((await preview({ userId: member.userId })).status).toBe(200);
    for (const userId of [world.a.owner.userId, world.b.owner.userId, "nobody"])
      expect((await preview({ userId })).json).toMatchObject({ code: "permission_denied", permission: "user:read" });
  });
});

describe("one's own applications", () => {
  it("are those that are assigned, in use and not removed", async () => {
    const caller = await world.b.newUser(["member"]);
    const app = await newApp(world.b);
    await newApp(world.b, { assigned: false });
    await newApp(world.b, { visible: false });
    await newApp(world.b, { status: "draft" });
    const as = { token: caller.token };
    const own = async () =>
      (await world.send("GET", "/api/v1/apps?size=100", as)).json.items.map(({ id }: { id: string }) => id);
    expect(await own()).toContain(app.id);
    const before = await own();
    expect((await world.send("DELETE", `/api/v1/user/app/${app.id}`, as)).status).toBe(200);
    expect(await own()).toEqual(before.filter((id: string) => id !== app.id));
    expect((await world.send("DELETE", `/api/v1/user/app/${app.id}`, as)).status).toBe(404);
    expect((await world.send("POST", `${PATH}/${app.id}/launch`, as)).status).toBe(200);
    expect(await own()).toContain(app.id);
  });
});

describe("the keys that sign", () => {
  it("overlap: the next is in the metadata before it signs, and the last for a while after", async () => {
    const target = `/saml/metadata?tenant=${world.a.tenantId}`;
    const published = async () =>
      [
        ...(await world.send("GET", target)).text.matchAll(/KeyDescriptor use="signing">.*?X509Certificate>([^<]+)/g),
      ].map(([, one]) => one);
    const [first] = await published();
    const { json: next } = await ask("POST", "/api/v1/saml-keys", { reason: REASON });
    expect(next.status).toBe("next");
    expect(JSON.stringify(next)).not.toMatch(/private|sealed/i);
    expect(await published()).toEqual([first, next.certificate]);
    expect((await ask("POST", "/api/v1/saml-keys")).json.code).toBe("already_exists");
    const before = (await eventTypes(world.a)).length;
    expect((await ask("POST", `/api/v1/saml-keys/${next.id}/activate`)).json.status).toBe("active");
    expect(await eventTypes(world.a, before)).toEqual(["saml.key.activated"]);
    expect(await published()).toEqual([next.certificate, first]);
    world.clock.advance(30 * 86_400_000);
    await world.controlPlane.tick();
    expect(await published()).toEqual([next.certificate]);
  });

  it("are another tenant's own, and sealed in the store", async () => {
    const target = (tenantId: string) => `/saml/metadata?tenant=${tenantId}`;
    const [a, b] = [
      await world.send("GET", target(world.a.tenantId)),
      await world.send("GET", target(world.b.tenantId)),
    ];
    expect(a.text).not.toBe(b.text);
    expect(JSON.stringify([await recordsOf(world.a), await recordsOf(world.b)])).not.toContain("PRIVATE KEY");
    for (const tenant of ["", "tnt_x", `tnt_${"0".repeat(26)}`])
      expect((await world.send("GET", target(tenant))).json).toMatchObject({ code: "saml_invalid" });
  });
});

it("health tells of certificates that end soon or have ended, of messages that nobody signs, and of the tenant's own key", async () => {
  // Years pass here.
  const world = await createWorld({ tokenLifetime: 86_400 });
  const { certificate, notAfter } = await samlEngine().newKey("short", world.clock.now(), 31);
  const { id } = await newApp(world.b, { certificates: [certificate] });
  const unsigned = await newApp(world.b);
  const owner = await world.b.newUser(["owner"]);
  const health = async () => (await world.send("GET", `${PATH}/health`, { token: owner.token })).json;
  const of = (json: { items: { id: string }[] }, app: string) => json.items.find((one) => one.id === app);
  const fresh = await health();
  expect(of(fresh, id)).toMatchObject({ health: "ok", warnings: [], certificateExpiresAt: notAfter });
  expect(of(fresh, unsigned.id)).toMatchObject({ health: "warning", warnings: ["not_signed"] });
  await newSignOn(world.b, owner, unsigned);
  const signed = await health();
  expect(signed).toMatchObject({ warnings: [], signingCertificateExpiresAt: expect.stringMatching(/^20/) });
  const pass = async (days: number) => {
    world.clock.advance(days * 86_400_000);
    Object.assign(owner, await world.b.signIn(owner.userId, owner));
    return health();
  };
  expect(of(await pass(2), id)).toMatchObject({ health: "warning", warnings: ["certificate_expires_soon"] });
  expect(of(await pass(30), id)).toMatchObject({ health: "failing", warnings: ["certificate_expired"] });
  const until = (Date.parse(signed.signingCertificateExpiresAt) - world.clock.now()) / 86_400_000;
  expect((await pass(until - 29)).warnings).toEqual(["signing_certificate_expires_soon"]);
  expect((await pass(30)).warnings).toEqual(["signing_certificate_expired"]);
});
