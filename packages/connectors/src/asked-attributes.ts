import { ConnectorError } from "@reeve/core/connectors";

/** Which attributes filters of connections may ask beyond those that a listing shows. */
export interface FilterOptions {
  /**
   * Further attributes, by name. Whoever may write a connection learns by filters what entries have there, so name only what
   * all of them may know.
   */
  readonly filterAttributes?: readonly string[];
}

const TOKEN = /\s*(?:([()])|("(?:[^"\\]|\\.)*")|([^\s()"[\]]+))/y;
const OPERATORS: ReadonlySet<string> = new Set(["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"]);

/**
 * Refuses a filter that asks what no listing shows: its answers would tell it, value by value, to whoever may write a
 * connection. `setting`: the name of the filter in the configuration.
 */
export function requireShown(setting: string, asked: Iterable<string>, shown: readonly string[]): void {
  const known = new Set(shown.map((name) => name.toLowerCase()));
  const hidden = [...asked].find((name) => !known.has(name.toLowerCase()));
  if (hidden === undefined) return;
  const message = `${setting} asks for ${hidden.slice(0, 100)}, which a listing does not show; it may ask for ${shown.join(", ")}.`;
  throw new ConnectorError("config", message, { code: "filter" });
}

/** The attributes that a filter of SCIM (RFC 7644) or a search of Okta asks for, without the names of schemas. */
export function attributesAsked(setting: string, filter: string): ReadonlySet<string> {
  const asked = new Set<string>();
  const tokens = tokensOf(setting, filter);
  let [at, depth, wantsTerm] = [0, 0, true];
  for (; at < tokens.length; at += 1) {
    const token = tokens[at] as string;
    const word = token.toLowerCase();
    if (!wantsTerm) {
      if (token === ")") depth -= 1;
      else if (word === "and" || word === "or") wantsTerm = true;
      else throw unreadable(setting);
      if (depth < 0) throw unreadable(setting);
    } else if (token === "(") depth += 1;
    else if (word === "not" && tokens[at + 1] === "(") continue;
    else {
      asked.add(attributeOf(setting, token));
      const operator = tokens[at + 1]?.toLowerCase() ?? "";
      const value = tokens[at + 2];
      if (operator === "pr") at += 1;
      else if (OPERATORS.has(operator) && value !== undefined && value !== "(" && value !== ")") at += 2;
      else throw unreadable(setting);
      wantsTerm = false;
    }
  }
  if (wantsTerm || depth !== 0) throw unreadable(setting);
  return asked;
}

function tokensOf(setting: string, filter: string): readonly string[] {
  const tokens: string[] = [];
  const text = filter.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) throw unreadable(setting);
    tokens.push((match[1] ?? match[2] ?? match[3]) as string);
  }
  return tokens;
}

/** `userName` of `urn:ietf:params:scim:schemas:core:2.0:User:userName`. */
function attributeOf(setting: string, token: string): string {
  const name = token.slice(token.lastIndexOf(":") + 1);
  if (!/^[A-Za-z][\w.$-]*$/.test(name)) throw unreadable(setting);
  return name;
}

const unreadable = (setting: string) =>
  new ConnectorError("config", `${setting} is no filter that can be read.`, { code: "filter" });
