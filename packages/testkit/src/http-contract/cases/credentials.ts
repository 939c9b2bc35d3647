import { bearer, type Header, type HttpCase, httpCase, JSON_TYPE, type RawRequest } from "../case.js";
import type { Setting } from "../setting.js";

const ASSETS = "/api/v1/ai-assets";
const base64url = (text: string) => Buffer.from(text).toString("base64url");

/** The token with one character changed in the middle of that part. */
function tampered(token: string, part: number): string {
  const parts = token.split(".");
  const text = parts[part] as string;
  const middle = Math.floor(text.length / 2);
  parts[part] = `${text.slice(0, middle)}${text[middle] === "A" ? "B" : "A"}${text.slice(middle + 1)}`;
  return parts.join(".");
}

/** The same claims under another header. */
function reheaded(token: string, header: object, signature = ""): string {
  return `${base64url(JSON.stringify(header))}.${token.split(".")[1]}.${signature}`;
}

const headersOf: readonly (readonly [name: string, make: (setting: Setting) => readonly Header[]])[] = [
  ["no token", () => []],
  ["an empty header", () => [["Authorization", ""]]],
  ["only the scheme", () => [["Authorization", "Bearer"]]],
  ["the scheme and a space", () => [["Authorization", "Bearer "]]],
  ["the scheme in lower case", ({ owner }) => [["Authorization", `bearer ${owner}`]]],
  ["two spaces", ({ owner }) => [["Authorization", `Bearer  ${owner}`]]],
  ["a tab", ({ owner }) => [["Authorization", `Bearer\t${owner}`]]],
  ["no scheme", ({ owner }) => [["Authorization", owner]]],
  ["basic credentials", () => [["Authorization", `Basic ${Buffer.from("a:b").toString("base64")}`]]],
  ["another scheme", ({ owner }) => [["Authorization", `Token ${owner}`]]],
  ["the same token twice", ({ owner }) => [bearer(owner), bearer(owner)]],
  ["two tokens", ({ owner, member }) => [bearer(owner), bearer(member)]],
  ["a good token and nothing", ({ owner }) => [bearer(owner), ["Authorization", ""]]],
  ["two tokens in one header", ({ owner, member }) => [["Authorization", `Bearer ${owner}, Bearer ${member}`]]],
  ["noise", () => [["Authorization", "Bearer not-a-token"]]],
  ["three dots", () => [["Authorization", "Bearer ..."]]],
  ["letters above ASCII", () => [["Authorization", "Bearer \u00e9\u00e9.\u00e9.\u00e9"]]],
  ["8 KiB of noise", () => [["Authorization", `Bearer ${"a".repeat(8_192)}`]]],
  ["a tampered header", ({ owner }) => [bearer(tampered(owner, 0))]],
  ["tampered claims", ({ owner }) => [bearer(tampered(owner, 1))]],
  ["a tampered signature", ({ owner }) => [bearer(tampered(owner, 2))]],
  ["no signature", ({ owner }) => [bearer(owner.slice(0, owner.lastIndexOf(".") + 1))]],
  ["the algorithm none", ({ owner }) => [bearer(reheaded(owner, { alg: "none", typ: "at+jwt" }))]],
  ["the algorithm HS256", ({ owner }) => [bearer(reheaded(owner, { alg: "HS256", typ: "at+jwt" }, base64url("x")))]],
  ["a key of one's own", ({ owner }) => [bearer(reheaded(owner, { alg: "ES256", typ: "at+jwt", kid: "../x" }, "x"))]],
  ["an expired token", ({ expired }) => [bearer(expired)]],
  ["a space after the token", ({ owner }) => [["Authorization", `Bearer ${owner} `]]],
  ["the token in a cookie", ({ owner }) => [["Cookie", `token=${owner}; access_token=${owner}`]]],
  [
    "the token in another header",
    ({ owner }) => [
      ["X-Access-Token", owner],
      ["Proxy-Authorization", `Bearer ${owner}`],
    ],
  ],
  ["the header in capitals", ({ owner }) => [["AUTHORIZATION", `Bearer ${owner}`]]],
  ["a right token", ({ owner }) => [bearer(owner)]],
];

const signIn = (body: unknown): RawRequest => ({
  method: "POST",
  target: "/api/v1/auth/signin",
  headers: [JSON_TYPE],
  body: JSON.stringify(body),
});

const attempts: readonly (readonly [name: string, make: (setting: Setting) => unknown])[] = [
  ["right credentials", ({ ownerCredentials }) => ownerCredentials],
  [
    "a user name in capitals",
    ({ ownerCredentials: { username, password } }) => ({ username: username.toUpperCase(), password }),
  ],
  ["a wrong password", ({ ownerCredentials }) => ({ ...ownerCredentials, password: "not the one" })],
  ["an empty password", ({ ownerCredentials }) => ({ ...ownerCredentials, password: "" })],
  [
    "a password with a space after it",
    ({ ownerCredentials: { username, password } }) => ({ username, password: `${password} ` }),
  ],
  ["a password that is an object", ({ ownerCredentials: { username } }) => ({ username, password: { $ne: "" } })],
  [
    "a password of 1,025 characters",
    ({ ownerCredentials: { username } }) => ({ username, password: "a".repeat(1_025) }),
  ],
  ["nobody's user name", () => ({ username: "nobody@example.test", password: "not the one" })],
  ["no user name", () => ({ password: "not the one" })],
  ["a user name that is a list", () => ({ username: ["a"], password: "x" })],
  ["a user name with a quote", () => ({ username: "' or 1=1 --", password: "x" })],
];

export const credentialCases: readonly HttpCase[] = [
  ...headersOf.map(([name, make]) =>
    httpCase(`credentials: a read with ${name}`, (it) => ({ method: "GET", target: ASSETS, headers: make(it) })),
  ),
  ...headersOf.slice(0, -1).map(([name, make]) =>
    httpCase(`credentials: a write with ${name}`, (it) => ({
      method: "POST",
      target: ASSETS,
      headers: [...make(it), JSON_TYPE],
      body: "{}",
    })),
  ),
  httpCase("credentials: a token in the query", (it) => ({
    method: "GET",
    target: `${ASSETS}?access_token=${it.owner}`,
  })),
  httpCase("credentials: a worthless token for the ping", () => ({
    method: "GET",
    target: "/api/v1/monitor/ping",
    headers: [bearer("worthless")],
  })),
  ...attempts.map(([name, make]) => httpCase(`sign-in: ${name}`, (it) => signIn(make(it)))),
  httpCase("sign-in: the budget of guesses is spent", () =>
    Array.from({ length: 12 }, () => signIn({ username: "guessed@example.test", password: "a guess" })),
  ),
];
