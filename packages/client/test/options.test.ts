import { describe, expect, it } from "vitest";
import { createClient } from "../src/index.js";

const baseUrl = "https://reeve.example/governance";

describe("the options of the client", () => {
  it.each<[string, object | undefined, string]>([
    ["nothing", undefined, 'baseUrl is required: an http or https URL without query and /api/v1, as "https://host.'],
    ["an address without a scheme", { baseUrl: "reeve.example" }, "baseUrl must be an http or https URL"],
    ["the path of the API", { baseUrl: "https://reeve.example/api/v1/" }, "baseUrl must be an http or https URL"],
    ["a query", { baseUrl: `${baseUrl}?tenant=1` }, "baseUrl must be an http or https URL"],
    ["a token with a line break", { baseUrl, token: "secret\n" }, "token must be a bearer token, or a function"],
    ["an empty token", { baseUrl, token: "" }, "token must be a bearer token, or a function"],
    [
      "a sign-in without a password",
      { baseUrl, signIn: { username: "ada" } },
      "signIn must be { username, password, tenant? }",
    ],
    ["credentials without a secret", { baseUrl, clientCredentials: { clientId: "c" } }, "clientCredentials must be"],
    ["no function", { baseUrl, fetch: "node-fetch" }, "fetch must be a function"],
    ["endless retries", { baseUrl, retries: Number.POSITIVE_INFINITY }, "retries must be a whole number from 0 to 10"],
    ["a wait back", { baseUrl, maxRetryDelay: -1 }, "maxRetryDelay must be a whole number of milliseconds"],
    ["headers as text", { baseUrl, headers: "x: y" }, "headers must be headers by their name"],
    ["a misspelt name", { baseUrl, tokn: "secret" }, "tokn is no option; there are baseUrl, token, signIn,"],
    [
      "two who ask",
      { baseUrl, token: "a", signIn: { username: "ada", password: "secret" } },
      "token and signIn cannot",
    ],
  ])("refuse %s", (_what, options, line) => {
    const create = () => createClient(options as never);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(line);
    expect(create).not.toThrow("secret");
  });

  it("are refused all at once", () => {
    const create = () => createClient({ baseUrl: "x", retries: 99, fetch: 1 } as never);
    expect(create).toThrow(/^createClient cannot work with these options:\n- baseUrl .*\n- fetch .*\n- retries .*$/);
  });

  it("may have a fetch that gives no answer, which is told at once and not sent again", async () => {
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      return undefined;
    };
    const client = createClient({ baseUrl, token: "t", fetch });
    await expect(client.GET("/api/v1/ai-assets")).rejects.toThrow(
      "fetch gave no answer for GET /governance/api/v1/ai-",
    );
    expect(sent).toBe(1);
  });

  it("may be left undefined", () => {
    expect(() => createClient({ baseUrl, token: undefined, retries: undefined } as never)).not.toThrow();
  });
});
