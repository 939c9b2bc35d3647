import { describe, expect, it } from "vitest";
import {
  configuredOf,
  enteredOf,
  type Manifest,
  settingsOf,
} from "../../app/areas/estate/connection-settings/settings-of.js";

const properties = {
  owners: { type: "array", items: { type: "string" }, description: "Whose." },
  port: { type: "integer", default: 5432 },
  archived: { type: "boolean", default: false },
  tls: { type: "string", enum: ["verify", "off"] },
  ca: { type: "string", maxLength: 65_536 },
  labels: { type: "object", additionalProperties: { type: "string" } },
  token: { type: "string", writeOnly: true },
  host: { type: "string", examples: ["db.example.com"] },
};
const manifest: Manifest = {
  ...{ providerKey: "made", version: "1.0.0", secretPaths: ["/token"] },
  configurationSchema: { type: "object", properties, required: ["host", "token"] },
};
const settings = settingsOf(manifest);

describe("the fields of a connector", () => {
  it("stand as they are entered: what is needed first, secrets last", () => {
    expect(settings.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      ...["host text", "owners list", "port number", "archived boolean", "tls choice", "ca long", "labels json"],
      "token secret",
    ]);
    expect(settings[0]).toMatchObject({ isRequired: true, example: "db.example.com", usual: undefined });
    expect(settings[1]).toMatchObject({ isRequired: false, description: "Whose.", choices: [] });
    expect(settings[2]).toMatchObject({ usual: "5432" });
  });

  it("give back what was stored, and leave out what is empty", () => {
    const configuration = {
      ...{ host: "db", owners: ["a", "b, c"], port: 6543, archived: true, tls: "off", ca: "one\ntwo\n" },
      labels: { team: "claims" },
    };
    const entered = enteredOf(settings, configuration);
    expect(entered).toMatchObject({ owners: "a\nb, c", port: "6543", archived: "true", token: "" });
    expect(configuredOf(settings, entered)).toEqual({ configuration, secrets: {}, unread: [] });
    expect(configuredOf(settings, { host: " db ", owners: "\n", token: " kept as it is " })).toEqual({
      ...{ configuration: { host: "db" }, secrets: { token: " kept as it is " }, unread: [] },
    });
  });

  it("leave it to the server to refuse what is no number, and say at once what is no JSON", () => {
    expect(configuredOf(settings, { port: "many", labels: "{", archived: "false" })).toEqual({
      ...{ configuration: { port: "many", archived: false }, secrets: {}, unread: ["labels"] },
    });
  });
});
