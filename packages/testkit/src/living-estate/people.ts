import type { Answer, Send } from "../world/client.js";

/** Somebody of the organisation, whose password is the same in every run. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly password: string;
}

/** A person who is signed in, and what they do by published operations. */
export interface Acting extends Person {
  readonly role: string;
  /** Sends as this person. Throws unless it succeeds. Returns the JSON of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are read
  do(method: string, path: string, body?: object): Promise<any>;
  /** Signs in again, as tokens run out while days pass. */
  signIn(): Promise<void>;
}

export const ORGANIZATION = "Northwind Insurance";

/** Who is who; the owner registers the organisation and invites the others. */
const STAFF = {
  owner: ["Ada Okafor", "owner"],
  admin: ["Mary Brandt", "admin"],
  officer: ["Grace Lindqvist", "governance_officer"],
  approver: ["Hedy Romano", "approver"],
  second: ["Linus Haddad", "approver"],
  operator: ["Katja Novak", "operator"],
  builder: ["Ravi Menon", "member"],
  auditor: ["Mei Tanaka", "auditor"],
} as const;

export type StaffName = keyof typeof STAFF;
export type Staff = Readonly<Record<StaffName, Acting>>;

const usernameOf = (name: string) => `${name.toLowerCase().replace(" ", ".")}@northwind.example`;
const passwordOf = (name: string) => `a long walk with ${name} 1`;

/** Registers the organisation, and creates everybody as the owner. */
export async function hire(send: Send): Promise<Staff & { readonly tenantId: string }> {
  const [name] = STAFF.owner;
  const credentials = { username: usernameOf(name), password: passwordOf(name) };
  const body = { organization: ORGANIZATION, ...credentials };
  const { userId, tenantId } = succeeded(await send("POST", "/api/v1/register", { body }));
  const owner = await acting(send, { id: userId, name, ...credentials }, "owner");
  await owner.do("PATCH", `/api/v1/users/${userId}`, { name });
  const staff: Partial<Record<StaffName, Acting>> = { owner };
  for (const [key, [named, role]] of Object.entries(STAFF)) {
    if (key === "owner") continue;
    const given = { username: usernameOf(named), password: passwordOf(named) };
    const { id } = await owner.do("POST", "/api/v1/users", { ...given, name: named, roles: [role] });
    staff[key as StaffName] = await acting(send, { id, name: named, ...given }, role);
  }
  return { ...(staff as Staff), tenantId };
}

async function acting(send: Send, person: Person, role: string): Promise<Acting> {
  let token: string | undefined;
  const { username, password, name } = person;
  const acts: Acting = {
    ...person,
    role,
    async do(method, path, body) {
      const headers = method === "POST" || method === "GET" ? {} : { "if-match": "*" };
      return succeeded(await send(method, path, { token, headers, ...(body ? { body } : {}) }));
    },
    async signIn() {
      // Each has an address of their own, so that no limit is met.
      const answer = await send("POST", "/api/v1/auth/signin", { body: { username, password }, remoteAddress: name });
      token = succeeded(answer).token;
    },
  };
  await acts.signIn();
  return acts;
}

function succeeded({ status, text, json }: Answer) {
  if (status >= 300) throw new Error(text);
  return json;
}

/** Lets everybody sign in again. */
export async function signInAgain(staff: Staff): Promise<void> {
  for (const key of Object.keys(STAFF) as StaffName[]) await staff[key].signIn();
}
