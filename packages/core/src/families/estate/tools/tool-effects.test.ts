import { describe, expect, it } from "vitest";
import { dispatchedBy } from "./effects-dispatcher.js";
import { contradiction } from "./tool-effects.js";

const reads = { readOnlyHint: true };
const named = (toolName: string, toolDescription = "", annotations: object = reads) =>
  contradiction({ toolName, title: null, toolDescription, annotations: annotations as never })?.verb;

describe("annotations that a name contradicts", () => {
  it.each([
    ["communication_email_send", "", "send"],
    ["createIssue", "", "create"],
    ["update-record", "", "update"],
    ["delete_all", "", "delete"],
    ["write_file", "", "write"],
    ["run_query", "", "run"],
    ["mail", "Sends a mail to everybody.", "send"],
    ["report_get", "Deletes what is old.", "delete"],
    ["tidy", "Publishes the notes.", "publish"],
  ])("are those of %s (%s)", (name, text, verb) => {
    expect(named(name, text)).toBe(verb);
  });

  it.each([
    ["get_update_status", "Gets the time of the last update."],
    ["list_deleted_files", "Lists files that somebody has deleted."],
    ["search_runs", "Finds runs."],
    ["look", "Looks at what was sent."],
    ["post_list", ""],
    ["workflow_run_get", ""],
    ["address", "Tells an address."],
  ])("are not those of %s (%s)", (name, text) => {
    expect(named(name, text)).toBeUndefined();
  });

  it("deny a change, or destruction, and nothing where nothing is denied", () => {
    expect(named("delete_all", "", { destructiveHint: false })).toBe("delete");
    expect(named("create_one", "", { destructiveHint: false })).toBeUndefined();
    expect(named("delete_all", "", {})).toBeUndefined();
    expect(
      contradiction({ toolName: "delete", title: null, toolDescription: null, annotations: null }),
    ).toBeUndefined();
  });
});

const free = { type: "object" };
const dispatches = (toolName: string, toolDescription: string, properties: object = {}) =>
  dispatchedBy({ toolName, toolDescription, inputSchema: { type: "object", properties } }) !== undefined;

describe("a dispatcher", () => {
  it.each([
    ["discover_tools", "Enables more.", {}],
    ["search_tools", "", {}],
    ["execute_tool", "", {}],
    ["sf-list-all-tools", "", {}],
    ["enableTools", "", {}],
    [
      "storage",
      "Manages storage.",
      { intent: { type: "string" }, command: { type: "string" }, learn: { type: "boolean" } },
    ],
    ["call", "Does it.", { tool_name: { type: "string" }, arguments: free }],
    ["helper", "Runs one of the tools of the catalogue.", {}],
  ])("is %s (%s)", (name, text, properties) => {
    expect(dispatches(name, text, properties)).toBe(true);
  });

  it.each([
    ["get_sum", "Returns the sum.", { a: { type: "number" } }],
    ["run_query", "Runs a query.", { query: { type: "string" }, parameters: free }],
    ["create_toolbox", "Creates a box for tools.", { name: { type: "string" } }],
    ["start", "Starts a machine.", { action: { type: "string" }, input: { type: "string" } }],
    ["list_tools_of_shed", "Lists hammers.", {}],
  ])("is not %s (%s)", (name, text, properties) => {
    expect(dispatches(name, text, properties)).toBe(false);
  });
});
