/** An OpenID provider that people sign in by, and the client that Reeve is there. */
export interface OpenidSettings {
  /** Its name in addresses: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** The text of the button on the sign-in page. */
  readonly label: string;
  /** One of the option `trustedIssuers`, whose rules give tenant, person and roles. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** How the client shows its secret; `basic` if absent. */
  readonly clientAuthentication?: "basic" | "post";
  /** `openid`, `email` and `profile` if absent. */
  readonly scopes?: readonly string[];
  /** What says in an ID token that a second factor was proven: any of these `amr` or `acr`. `amr` `mfa` if absent. */
  readonly secondFactor?: { readonly amr?: readonly string[]; readonly acr?: readonly string[] };
}

type Fault = (given: unknown) => string | undefined;

const text: Fault = (given) => (typeof given === "string" && given !== "" ? undefined : "must be a text");
const texts: Fault = (given) =>
  Array.isArray(given) && given.length > 0 && given.every((one) => text(one) === undefined)
    ? undefined
    : "must be a list of texts";
const unlessAbsent =
  (fault: Fault): Fault =>
  (given) =>
    given === undefined ? undefined : fault(given);

/** What each member must be. No fault repeats a value, since one is a secret. */
const MEMBERS: Readonly<Record<keyof Required<OpenidSettings>, Fault>> = {
  name: (given) =>
    typeof given === "string" && /^[a-z0-9][a-z0-9-]{0,39}$/.test(given)
      ? undefined
      : "must be of at most 40 lower-case letters, digits and hyphens",
  label: (given) => text(given) ?? (String(given).length <= 80 ? undefined : "must have at most 80 characters"),
  issuer: (given) =>
    typeof given === "string" && /^https?:\/\/[^#?\s]+$/i.test(given) && URL.canParse(given)
      ? undefined
      : "must be the address of the provider, as its tokens name it in iss",
  clientId: text,
  clientSecret: unlessAbsent(text),
  clientAuthentication: unlessAbsent((given) =>
    given === "basic" || given === "post" ? undefined : 'must be "basic" or "post"',
  ),
  scopes: unlessAbsent(
    (given) =>
      texts(given) ?? ((given as string[]).includes("openid") ? undefined : 'must have "openid" among its entries'),
  ),
  secondFactor: unlessAbsent((given) => {
    const { amr, acr, ...others } = Object(given);
    const isKnown = Object.keys(others).length === 0 && (amr !== undefined || acr !== undefined);
    return isKnown ? (unlessAbsent(texts)(amr) ?? unlessAbsent(texts)(acr)) : "must have amr, acr or both";
  }),
};

/** What is wrong with settings of providers: a text for each fault, which begins with the place. */
export function openidFaults(given: unknown): readonly string[] {
  if (!Array.isArray(given)) return ["must be a list of providers"];
  const names = given.map((one) => Object(one).name);
  return given.flatMap((one, at) => {
    const members = Object(one) as Readonly<Record<string, unknown>>;
    const unknown = Object.keys(members).filter((name) => !Object.hasOwn(MEMBERS, name));
    const wrong = Object.entries(MEMBERS).flatMap(([name, faultOf]) => {
      const fault = faultOf(members[name]);
      return fault === undefined ? [] : [`${name} ${fault}`];
    });
    const again = names.indexOf(names[at]) < at ? ["name is there twice"] : [];
    return [...unknown.map((name) => `${name} is no member`), ...wrong, ...again].map((fault) => `[${at}].${fault}`);
  });
}
