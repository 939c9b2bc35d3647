import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createPlane } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { ERRORS, errorCodesOf } from "#reference/index.js";

interface Report {
  readonly totals: Record<string, number>;
  readonly problems: { readonly ruleId: string; readonly location: { readonly pointer: string }[] }[];
}

const { controlPlane } = createPlane();
const document = controlPlane.openapi() as {
  paths: Record<string, Record<string, Record<string, never> & { operationId: string }>>;
  components: Record<"schemas" | "responses" | "parameters", Record<string, unknown>>;
  security: unknown[];
};
const parameterAt = (reference: string) =>
  document.components.parameters[reference.split("/").at(-1) as string] as { name: string; in: string };
const KB = 1_024;
const entryOf = <T>({ path, method }: { path: string; method: string }): T =>
  document.paths[path]?.[method.toLowerCase()] as unknown as T;
/** The entry of a refusal: its status, or `default` for those that mean the same everywhere. */
const entryOfRefusal = (code: keyof typeof ERRORS) =>
  [401, 413, 415, 429, 500, 503].includes(ERRORS[code][0]) ? "default" : String(ERRORS[code][0]);
const described = controlPlane.operations.filter(({ hidden }) => !hidden);

/** Properties without a description. This may only become fewer. */
const UNDESCRIBED = 2;

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The properties in a schema that neither have a description nor refer to a component with one. */
function silentIn(schema: Schema, at: string, schemas: Record<string, Schema>): string[] {
  const { properties = {}, items, additionalProperties: rest, allOf = [], anyOf = [], oneOf = [] } = schema;
  const inner = [items, typeof rest === "object" ? rest : undefined, ...allOf, ...anyOf, ...oneOf];
  return [
    ...Object.entries(properties).flatMap(([name, property]) => {
      const component = schemas[property.$ref?.split("/").at(-1) ?? ""] ?? property;
      const own = component.description ? [] : [`${at}.${name}`];
      return [...own, ...silentIn(property, `${at}.${name}`, schemas)];
    }),
    ...inner.flatMap((part) => (part ? silentIn(part, at, schemas) : [])),
  ];
}

describe("the interface description", () => {
  it("lints clean under the recommended rules", { timeout: 120_000 }, async () => {
    const directory = await mkdtemp(join(tmpdir(), "reeve-openapi-"));
    try {
      const file = join(directory, "openapi.json");
      await writeFile(file, JSON.stringify(document));
      const manifest = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
      const cli = join(dirname(manifest), "bin", "cli.js");
      const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [cli, "lint", file, "--extends=recommended", "--format=json"],
        { cwd: directory, env, maxBuffer: 16 * 1024 * 1024 },
      );
      const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as Report;
      expect(problems.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`)).toEqual([]);
      expect(totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it("describes every mounted operation, and nothing else", () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.sort()).toEqual(described.map(({ id }) => id).sort());
  });

  it.each(described.map((operation) => [operation.id, operation] as const))(
    "agrees with the table on %s",
    (_id, operation) => {
      const described = document.paths[operation.path]?.[operation.method.toLowerCase()] as unknown as {
        responses: Record<string, unknown>;
        security?: unknown[];
        parameters: ({ name: string; in: string } | { $ref: string })[];
        requestBody?: { required: boolean };
      };
      const parameters = described.parameters.map((given) => ("$ref" in given ? parameterAt(given.$ref) : given));
      const found = { ...described, parameters, security: described.security ?? document.security };
      const statuses = errorCodesOf(operation).map(entryOfRefusal);
      expect(Object.keys(found.responses).sort()).toEqual(
        [...new Set([String(operation.success.status), ...statuses])].sort(),
      );
      expect(found.security).toEqual(operation.access === "public" ? [] : [{ bearer: [] }]);
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(found.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(inPath);
      const inQuery = Object.keys(operation.query?.shape ?? {});
      expect(found.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name)).toEqual(inQuery);
      expect(found.requestBody?.required).toBe(
        operation.body ? !operation.body.safeParse(undefined).success : undefined,
      );
    },
  );

  it("has no reference that leads nowhere, and no schema that nothing refers to", () => {
    const text = JSON.stringify(document);
    const referred = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] as string);
    expect(referred.length).toBeGreaterThan(0);
    const { schemas, responses, parameters } = document.components;
    const there = Object.entries({ schemas, responses, parameters }).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...new Set(referred)].sort()).toEqual(there.sort());
  });

  it("takes at most 2.45 KB an operation, which are 400 KB at 163", () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThanOrEqual(2.45 * KB * described.length);
  });

  it("describes properties, and those it does not describe grow fewer", () => {
    const schemas = document.components.schemas as Record<string, Schema>;
    const silent = Object.entries(schemas).flatMap(([name, schema]) => silentIn(schema, name, schemas));
    expect(
      silent.length,
      `Describe the new one, and lower the number after describing others:\n${silent.join("\n")}`,
    ).toBe(UNDESCRIBED);
  });

  it("names the codes of each refusal, and the members of a problem document with what they mean", () => {
    for (const operation of described) {
      const { responses } = entryOf<{ responses: Record<string, { $ref: string }> }>(operation);
      for (const code of errorCodesOf(operation)) {
        const name = responses[entryOfRefusal(code)]?.$ref.split("/").at(-1) as string;
        const { description } = document.components.responses[name] as { description: string };
        expect(description).toContain(`\`${code}\``);
        if (name.startsWith("default"))
          expect(description).toMatch(new RegExp(`\\b${ERRORS[code][0]} [^;]*\`${code}\``));
      }
    }
    const { properties } = document.components.schemas.Problem as {
      properties: Record<string, { description?: string }>;
    };
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(["code", "detail", "requestId", "errors", "guards", "allowed", "current"]),
    );
    expect(Object.values(properties).filter(({ description }) => !description)).toEqual([]);
  });

  it("gives each body a schema of its own name with an example", () => {
    const schemas = document.components.schemas as Record<string, { example?: unknown }>;
    const without = described
      .filter(({ body }) => body)
      .flatMap((operation) => {
        const { id } = operation;
        const { requestBody } = entryOf<{
          requestBody: { content: { "application/json": { schema: { $ref?: string } } } };
        }>(operation);
        const name = requestBody.content["application/json"].schema.$ref?.split("/").at(-1);
        return name && name !== "GenericBody" && schemas[name]?.example ? [] : [`${id}: ${name}`];
      });
    expect(without).toEqual([]);
  });

  it("says null as OpenAPI 3.0.3 means it: beside a type, and listed in each enum", () => {
    const wrong: string[] = [];
    const look = (schema: unknown, at: string) => {
      if (typeof schema !== "object" || schema === null) return;
      const { nullable, type, enum: values } = schema as { nullable?: unknown; type?: unknown; enum?: unknown[] };
      if (nullable === true && (typeof type !== "string" || values?.includes(null) === false)) wrong.push(at);
      for (const [name, inner] of Object.entries(schema)) look(inner, `${at}/${name}`);
    };
    look(document, "");
    expect(wrong).toEqual([]);
  });

  it("gives requests a schema of their own where they may leave out what answers always have", () => {
    const { SamlMappedAttribute: answered, SamlMappedAttributeRequest: sent } = document.components
      .schemas as unknown as Record<string, { required: string[] }>;
    expect(answered?.required).toContain("nameFormat");
    expect(sent?.required).not.toContain("nameFormat");
  });

  it("is served as it is", async () => {
    const { send } = createPlane();
    expect((await send("GET", "/openapi.json")).json).toEqual(document);
  });

  it("leaves out what the host did not ask for", () => {
    const bare = createPlane({ rootRoutes: false, doors: false, reference: false });
    const paths = Object.keys(bare.controlPlane.openapi().paths as object);
    expect(paths.filter((path) => !path.startsWith("/api/v1/"))).toEqual([]);
  });
});
