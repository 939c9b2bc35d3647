import { type Ecosystem, SDKS, type Sdk } from "./sdks.js";

const exact = new Map<string, Sdk>();
const beginnings: { readonly ecosystem: Ecosystem; readonly beginning: string; readonly sdk: Sdk }[] = [];
for (const sdk of SDKS)
  for (const [ecosystem, names] of Object.entries(sdk.packages) as [Ecosystem, readonly string[]][])
    for (const name of names.map((given) => plain(ecosystem, given)))
      if (name.endsWith("*")) beginnings.push({ ecosystem, beginning: name.slice(0, -1), sdk });
      else exact.set(`${ecosystem} ${name}`, sdk);

/** The SDK that a package is; `undefined` for any other package. The longest match wins. */
export function sdkOf(ecosystem: Ecosystem, packageName: string): Sdk | undefined {
  const name = plain(ecosystem, packageName);
  const same = exact.get(`${ecosystem} ${name}`);
  if (same) return same;
  const fitting = beginnings.filter((row) => row.ecosystem === ecosystem && name.startsWith(row.beginning));
  return fitting.sort((one, other) => other.beginning.length - one.beginning.length)[0]?.sdk;
}

/** A name as its registry compares it. Versions in paths of Go are left out. */
function plain(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === "pypi") return name.toLowerCase().replace(/[-_.]+/g, "-");
  if (ecosystem === "go") return name.replace(/\/v\d+$/, "");
  return ecosystem === "nuget" ? name.toLowerCase() : name;
}
