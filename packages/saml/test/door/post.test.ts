import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACS, TENANT } from "../support/bench.js";
import { signedMessage } from "../support/messages.js";
import { ADAPTER_NAMES, bring, type Door, openDoor } from "./door.js";

/** The most bytes of a body that are read, and the most characters of a message. */
const BODY = 256 * 1024;
const MESSAGE = 128 * 1024;
const FORM = "application/x-www-form-urlencoded";

describe.each(ADAPTER_NAMES)("the binding by POST at the door of %s", (adapter) => {
  let door: Door;
  beforeAll(async () => {
    door = await openDoor(adapter);
    await door.news();
  });
  afterAll(() => door.stop());

  const post = (path: string, body: string | URLSearchParams, type = FORM) =>
    fetch(`${door.url}${path}`, { method: "POST", headers: { accept: "text/html", "content-type": type }, body });
  const open = async (link: string) => {
    const answer = await fetch(link.replace("https://reeve.example", door.url), { headers: { accept: "text/html" } });
    return answer.text();
  };

  it("takes a request to sign on, asks who is there, and answers the application with the relay state", async () => {
    const { status, page } = await bring(door, "AuthnRequest", await signedMessage("AuthnRequest", "post"));
    expect([status, page.includes("SAMLResponse")]).toEqual([200, false]);
    const form = await open(/href="([^"]+)"/.exec(page)?.[1] as string);
    const waiting = /name="request" value="([^"]+)"/.exec(form)?.[1] as string;
    const answer = await post("/saml/sign-in", new URLSearchParams({ ...door.account, request: waiting }));
    const onward = await answer.text();
    expect(onward).toContain(`<form method="post" action="${ACS}">`);
    expect(onward).toContain('name="RelayState" value="state"');
    expect(await door.sessions()).toMatchObject([{ state: "live", nameId: door.account.username }]);
  });

  it("takes a logout, once, and answers the application", async () => {
    const sessionIndex = await door.signOn();
    const content = `<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${door.account.username}</saml:NameID><samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex>`;
    const attributes = { ID: `_${adapter}` };
    const message = await signedMessage("LogoutRequest", "post", { content, attributes });
    const { status, page, headers } = await bring(door, "LogoutRequest", message);
    expect([status, page.includes("https://sp.example/slo?SAMLResponse=")]).toEqual([200, true]);
    expect(headers.get("set-cookie")).toMatch(/^reeve_sign_on=;.*Max-Age=0/);
    const [session] = (await door.sessions()).filter((one: { state: string }) => one.state === "ended");
    expect(session).toMatchObject({ sessionIndex, endReason: "logged_out_by_application", confirmed: true });
    await door.news();
    expect(await bring(door, "LogoutRequest", message)).toMatchObject({ status: 400, refusal: "replayed" });
    expect(await door.news()).toEqual([{ type: "reeve.saml.message.refused.v1", refusal: "replayed" }]);
  });

  it.each(["sso", "slo"])(
    "reads at /saml/%s no more than it says, and records nothing of what it did not read",
    async (name) => {
      const path = `/saml/${name}?tenant=${TENANT}`;
      await door.news();
      const filled = (length: number) => `SAMLRequest=${"A".repeat(length - "SAMLRequest=".length)}`;
      const codeOf = async (answer: Response) => /<code>(\w+)/.exec(await answer.text())?.[1];
      const whole = await post(path, filled(BODY));
      expect([whole.status, await codeOf(whole)]).toEqual([400, "invalid_request"]);
      const over = await post(path, filled(BODY + 1));
      expect([over.status, await codeOf(over), over.headers.get("connection")]).toEqual([
        413,
        "payload_too_large",
        "close",
      ]);
      const long = await post(path, `SAMLRequest=${"A".repeat(MESSAGE + 1)}`);
      expect([long.status, await codeOf(long)]).toEqual([400, "invalid_request"]);
      expect(await door.news()).toEqual([]);
      const most = await post(path, `SAMLRequest=${"A".repeat(MESSAGE)}`);
      expect([most.status, await codeOf(most)]).toEqual([400, "saml_invalid"]);
      expect(await door.news()).toMatchObject([{ refusal: "document_too_large" }]);
      for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/xml"])
        expect((await post(path, filled(100), type)).status).toBe(415);
    },
  );

  it.each(["sso", "slo"])("ends at /saml/%s a body that does not end", async (name) => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { "content-type": FORM, accept: "text/html" };
      const sent = request(`${door.url}/saml/${name}?tenant=${TENANT}`, { method: "POST", headers }, (answer) => {
        answer.resume();
        sent.destroy();
        resolve(answer.statusCode);
      });
      sent.on("error", reject);
      // More than is read to let a client that sends too much have its answer. It has no length and no end.
      sent.write(`SAMLRequest=${"A".repeat(BODY + 8 * 1024 * 1024)}`);
    });
    expect(status).toBe(413);
  });
});
