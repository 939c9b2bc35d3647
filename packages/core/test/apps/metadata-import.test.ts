import type { RequestListener } from "node:http";
import { newApp, providerKey, type World } from "@reeve/testkit";
import { freePort } from "@reeve/testkit/postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { serve } from "../egress/servers.js";
import { recordsOf } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

const PATH = "/api/v1/saml-apps";
const MIB = 1024 * 1024;

let world: World;
let certificate: string;
/** The one port that may be called: what stands beside it on the same address is as private as the rest of the network. */
let permitted: number;
beforeAll(async () => {
  permitted = await freePort();
  world = await createWorld({ egressAllow: [`127.0.0.1:${permitted}`] });
  certificate = (await providerKey()).certificate;
});

const url = (path: string) => `http://127.0.0.1:${permitted}${path}`;
const create = (metadataUrl: string) =>
  world.send("POST", `${PATH}/create`, { token: world.a.owner.token, body: { metadataUrl } });

function metadata(entityId: string): string {
  const key = `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  const acs = `<md:AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/acs"/>`;
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${key}${acs}</md:SPSSODescriptor></md:EntityDescriptor>`;
}

const serving = (listener: RequestListener) => serve(listener, "127.0.0.1", permitted);
const answering = (status: number, body: string | Buffer, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => response.writeHead(status, headers).end(body);
};

describe("metadata from an address", () => {
  it("are fetched once, with no more about the caller than what is asked for, and make the application", async () => {
    const entityId = `https://${world.a.unique()}.example/metadata`;
    const asked: (object | undefined)[] = [];
    await serving((request, response) => {
      asked.push(request.headers);
      response.setHeader("content-type", "application/samlmetadata+xml").end(metadata(entityId));
    });
    const { status, json } = await create(url("/metadata"));
    expect([status, json]).toMatchObject([
      200,
      { entityId, acsUrls: ["https://sp.example/acs"], metadataAt: expect.any(String) },
    ]);
    expect(json.signingCertificates).toHaveLength(1);
    expect(json).not.toHaveProperty("metadataUrl");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ accept: "application/samlmetadata+xml" });
    expect(asked[0]).not.toHaveProperty("authorization");
    await world.send("GET", `${PATH}/${json.id}`, { token: world.a.owner.token });
    expect(asked).toHaveLength(1);
  });

  it("are not followed to where they are redirected, so that no private address is reached", async () => {
    const reached: string[] = [];
    const secret = await serve((request, response) => {
      reached.push(request.url ?? "");
      response.end(metadata("https://stolen.example"));
    });
    const before = await recordsOf(world.a);
    const targets = [`http://127.0.0.1:${secret}/`, "http://169.254.169.254/latest/", `http://localhost:${secret}/`];
    const statuses = [301, 302, 303, 307, 308];
    let at = 0;
    await serving((_request, response) => {
      const location = targets[at % targets.length] as string;
      response.writeHead(statuses[at % statuses.length] as number, { location }).end(metadata("https://x.example"));
    });
    for (; at < 15; at += 1)
      expect((await create(url("/moved"))).json).toMatchObject({ status: 502, code: "connector_error" });
    expect((await create(`http://127.0.0.1:${secret}/`)).json.code).toBe("target_not_allowed");
    expect(reached).toEqual([]);
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("of 10 MB are cut off after as many bytes as a document may have", async () => {
    let written = 0;
    await serving((_request, response) => {
      response.write(metadata("https://large.example").slice(0, 60));
      const more = () => {
        while (!response.destroyed && written < 10 * MIB) {
          written += 16_384;
          if (!response.write(Buffer.alloc(16_384, 0x20))) return;
        }
        response.end();
      };
      response.on("drain", more);
      more();
    });
    const before = await recordsOf(world.a);
    const { json } = await create(url("/large"));
    expect(json).toMatchObject({ code: "connector_error", reason: "too_large" });
    expect(written).toBeLessThan(10 * MIB);
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("that say at the start how large they are, are not read at all", async () => {
    await serving(answering(200, Buffer.alloc(10 * MIB, 0x20)));
    expect((await create(url("/large"))).json).toMatchObject({ code: "connector_error", reason: "too_large" });
  });

  it.each<[string, () => RequestListener, object]>([
    [
      "a page",
      () => answering(200, "<!doctype html><html></html>"),
      { code: "saml_invalid", refusal: "document_forbidden" },
    ],
    ["JSON", () => answering(200, "{}"), { code: "saml_invalid", refusal: "document_malformed" }],
    ["nothing", () => answering(200, ""), { code: "saml_invalid", refusal: "document_malformed" }],
    ["bytes that are no UTF-8", () => answering(200, Buffer.from([0x3c, 0xff, 0xfe])), { code: "invalid_request" }],
    ["no content", () => answering(204, ""), { code: "connector_error" }],
    ["a refusal", () => answering(403, metadata("https://sp.example")), { code: "connector_error" }],
    ["a failure", () => answering(500, metadata("https://sp.example")), { code: "connector_error" }],
    [
      "an entity of a file",
      () => answering(200, `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${metadata("&x;")}`),
      { code: "saml_invalid", refusal: "document_forbidden" },
    ],
    [
      "metadata of an identity provider",
      () => answering(200, metadata("https://sp.example").replaceAll("SPSSODescriptor", "IDPSSODescriptor")),
      { code: "saml_invalid", refusal: "metadata_invalid" },
    ],
    [
      "an address that no response may go to",
      () => answering(200, metadata("https://sp.example").replace("https://sp.example/acs", "http://127.0.0.1/acs")),
      { code: "invalid_request" },
    ],
    [
      "something compressed",
      () => answering(200, metadata("https://sp.example"), { "content-encoding": "gzip" }),
      { code: "connector_error", reason: "encoding" },
    ],
  ])(
    "with %s are refused, and neither a new application nor a change of one is stored",
    async (_what, listener, refusal) => {
      await serving(listener());
      const app = await newApp(world.a);
      const before = await recordsOf(world.a);
      expect((await create(url("/metadata"))).json).toMatchObject(refusal);
      const body = { metadataUrl: url("/metadata") };
      const change = await world.send("PUT", `${PATH}/${app.id}`, { token: world.a.owner.token, body });
      expect(change.json).toMatchObject(refusal);
      expect(await recordsOf(world.a)).toEqual(before);
    },
  );
});
