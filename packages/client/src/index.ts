export type { Answer, Call, ItemOf, ListPath, PageOf, ParseAs, PathOf, Walk } from "./call-types.js";
export { type Client, createClient } from "./create-client.js";
export type { components, paths } from "./openapi.generated.js";
export type { ClientOptions } from "./options.js";
export { type Problem, type ProblemCode, ProblemError } from "./problem-error.js";
export type { TokenSource } from "./session.js";
export type { ClientCredentials, PasswordSignIn } from "./sign-in.js";
