import type { entry } from "./registry.js";

/** A server in the form of before the first release of the interface, as seeds of registries still have it. */
const older = (name: string, more: object = {}) => ({
  id: "7d0f2c1e-3b52-4f1a-9f0e-5a4f6f6b1c11",
  name,
  description: "Reads the tide tables of a harbour",
  repository: { url: `https://github.com/${name.split("/")[1]}`, source: "github", id: "900100200" },
  version_detail: { version: "0.0.1-seed", release_date: "2025-05-16T18:56:49Z", is_latest: true },
  ...more,
});

/** Invented entries in the odd forms that a registry with years behind it lists, by what is odd about each. */
export const ODD_ENTRIES: Readonly<Record<string, ReturnType<typeof entry>["server"] | object>> = {
  "older form": older("io.github.harbour/tides", {
    packages: [
      {
        registry_name: "npm",
        name: "@harbour/tides",
        version: "0.0.46",
        environment_variables: [{ description: "$" + "{input:apiKey}", name: "API_KEY" }],
      },
    ],
  }),
  "empty version": {
    name: "io.github.harbour/locks",
    description: "Opens locks",
    version: "",
    packages: [{ registryType: "npm", identifier: "@harbour/locks", version: "", transport: { type: "stdio" } }],
  },
  "empty description": {
    name: "io.github.harbour/cranes",
    description: "",
    version: "1.0.0",
    remotes: [{ type: "sse", url: "https://cranes.example.com/sse" }],
  },
  "missing transport": {
    name: "io.github.harbour/buoys",
    description: "Lists buoys",
    version: "1.0.0",
    packages: [{ registryType: "pypi", identifier: "buoys", version: "0.1.5" }],
  },
  "older remotes": older("io.github.harbour/pilots", {
    packages: [{ registry_name: "unknown", name: "harbour/pilots", version: "" }],
    remotes: [
      { transport_type: "sse", url: "http://localhost:5008/sse" },
      { transport_type: "", url: "http://localhost:8000/sse" },
    ],
  }),
  "nothing but a name": { name: "io.github.harbour/fog" },
  "empty everywhere": {
    id: "",
    name: "",
    description: "",
    repository: { url: "", source: "", id: "" },
    version_detail: { version: "", release_date: "", is_latest: false },
  },
};
