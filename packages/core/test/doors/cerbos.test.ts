import type { World } from "@reeve/testkit";
import { type CerbosServer, cerbosProgram, startCerbos } from "@reeve/testkit/programs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";
import { BASIC, BATCH, RULES } from "./certification-scenario.js";

const installed = cerbosProgram();

const KNOWN = 'R.id in ["record-1", "record-2"]';
const ARCHIVED = '(has(R.attr.status) ? R.attr.status == "archived" : R.id == "record-2")';
const IS_ADMIN = 'has(P.attr.role) && P.attr.role == "admin"';
/** The rules of the scenario as Cerbos has them, which shows its policies neither types of subjects nor properties of actions. */
const THEIRS = [
  { actions: ["read"], if: `P.id in ["alice", "bob"] && ${KNOWN}` },
  { actions: ["write"], if: `P.id == "alice" && ${KNOWN} && !${ARCHIVED}` },
  { actions: ["write"], if: `(${IS_ADMIN} || (!has(P.attr.role) && P.id == "bob")) && ${KNOWN} && ${ARCHIVED}` },
];

const NO_PROPERTIES = "its policies see no properties of actions";
const ONE_FAULT = "it refuses a batch of which one question is at fault";
/** What Cerbos 0.55.0 answers otherwise than the scenario has it. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "c-2-2-6": NO_PROPERTIES,
  "c-2-2-9": "it refuses members that it does not know",
  "c-3-4-1": ONE_FAULT,
  "a fault ends it with the first denial": ONE_FAULT,
  "a fault does not end it with the first permission": ONE_FAULT,
  "all are at fault": ONE_FAULT,
};
const QUESTIONS = [
  ...BASIC.map(([name, body, expected]) => ({ name, path: "evaluation", body, expected: [expected] })),
  ...BATCH.map(([name, body, expected]) => ({ name, path: "evaluations", body, expected })),
];

describe.skipIf(!installed.path)(`the certification scenario by Reeve and by Cerbos${installed.note}`, () => {
  let world: World;
  let cerbos: CerbosServer;
  beforeAll(async () => {
    world = await createWorld();
    await world.a.newPolicy("runtime", {
      rules: RULES,
      tests: [{ name: "no", input: { action: { name: "fly" } }, expect: "none" }],
      status: "active",
    });
    cerbos = await startCerbos(installed.path as string, { record: THEIRS });
  });
  afterAll(() => cerbos?.stop());

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const decisionsOf = ({ evaluations, ...one }: any) => (evaluations ?? [one]).map((each: any) => each.decision);
  const ours = async (path: string, body: object) => {
    const token = world.a.actors.governance_officer.token;
    const { json } = await world.send("POST", `/access/v1/${path}`, { token, body });
    return decisionsOf(json);
  };
  const theirs = async (path: string, body: object) => {
    const answer = await fetch(`${cerbos.url}/access/v1/${path}`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { "content-type": "application/json" },
    });
    return decisionsOf(await answer.json());
  };

  it.each(QUESTIONS.filter(({ name }) => !Object.hasOwn(OTHERWISE, name)))(
    "$name has one answer of both",
    async ({ path, body, expected }) => {
      expect(await ours(path, body)).toEqual(expected);
      expect(await theirs(path, body)).toEqual(expected);
    },
  );

  it.each(Object.entries(OTHERWISE))("%s has another of Cerbos, because %s", async (asked) => {
    const { path, body, expected } = QUESTIONS.find(({ name }) => name === asked) as (typeof QUESTIONS)[number];
    expect(await ours(path, body)).toEqual(expected);
    expect(await theirs(path, body)).not.toEqual(expected);
  });
});
