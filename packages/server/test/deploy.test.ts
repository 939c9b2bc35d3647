import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { readSettings, type Settings } from "../src/settings/settings.js";
import { ServerProcess } from "./server-process.js";

const text = (file: string) => readFileSync(new URL(`../deploy/${file}`, import.meta.url), "utf8");
const given: Record<string, string> = {
  REEVE_MASTER_KEY: "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80=",
  REEVE_BASE_URL: "https://reeve.acme.example",
  POSTGRES_PASSWORD: "letters4",
};

function settings(env: Record<string, string>): Settings {
  const read = readSettings(env);
  if ("faults" in read) throw new Error(read.faults.join("; "));
  expect(read.unknown).toEqual([]);
  return read;
}

it("gives the container settings that it starts with", () => {
  const pairs = [...text("Dockerfile").matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]);
  const env = Object.fromEntries(pairs) as Record<string, string>;
  expect(settings({ ...env, ...given })).toMatchObject({ host: "0.0.0.0", port: 4000, registration: "verified_email" });
  expect(text("Dockerfile")).toContain(`EXPOSE ${env.PORT}\n`);
});

it("gives the composed server settings that it starts with", () => {
  const { services } = parse(text("compose.yaml")) as {
    services: Record<
      string,
      { image?: string; environment: Record<string, string | number | null>; depends_on?: object }
    >;
  };
  const environment = services.reeve?.environment ?? {};
  const filled = Object.entries(environment).flatMap(([name, value]) =>
    value === null
      ? []
      : [[name, String(value).replaceAll(/\$\{(\w+)[^}]*\}/g, (_all, variable: string) => given[variable] ?? "")]],
  );
  expect(settings({ HOST: "0.0.0.0", ...Object.fromEntries(filled) })).toMatchObject({
    store: { kind: "postgres", url: "postgres://postgres:letters4@postgres:5432/reeve" },
    metrics: { listen: { port: 9464 } },
  });
  expect(Object.keys(services.reeve?.depends_on ?? {})).toEqual(["postgres"]);
  expect(services.postgres?.image).toBe(`postgres:${/^ARG POSTGRES=(\d+)$/m.exec(text("Dockerfile"))?.[1]}`);
});

it("tells by the container's health check whether the server is ready", async () => {
  const file = text("Dockerfile");
  const listOf = (instruction: string) =>
    JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, "m").exec(file)?.[1] ?? "null") as string[];
  const port = String(await freePort());
  const [node, ...check] =
    /^ {2}CMD (\[.*\])$/m
      .exec(file)
      ?.slice(1)
      .flatMap((list) => JSON.parse(list) as string[]) ?? [];
  expect([node, listOf("ENTRYPOINT")]).toEqual(["node", ["reeve"]]);
  const health = () =>
    spawnSync(
      process.execPath,
      check.map((each) => each.replace("127.0.0.1:4000", `127.0.0.1:${port}`)),
    ).status;
  const directory = mkdtempSync(join(tmpdir(), "reeve-container-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  expect(health()).toBe(1);
  const [command = ""] = listOf("CMD");
  const server = await ServerProcess.run(command, directory, { ...given, REEVE_BASE_URL: "", PORT: port }).ready();
  expect(health()).toBe(0);
  const signal = /^STOPSIGNAL (\w+)$/m.exec(file)?.[1] as NodeJS.Signals;
  expect(await server.stop(signal)).toBe(0);
  expect(health()).toBe(1);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

it("gives the unit settings that it starts with", () => {
  const pairs = [...text("reeve.service").matchAll(/^Environment=(\w+)=(\S+)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(settings({ ...Object.fromEntries(pairs), ...given }).store).toEqual({
    kind: "sqlite",
    file: "/var/lib/reeve/reeve.sqlite",
  });
});

it.skipIf(!hasSystemd)("has a unit without faults", () => {
  const directory = mkdtempSync(join(tmpdir(), "reeve-unit-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const unit = join(directory, "reeve.service");
  writeFileSync(unit, text("reeve.service").replace("/usr/local/bin/reeve", process.execPath));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
  expect(stderr.split("\n").filter((line) => line.includes("reeve.service"))).toEqual([]);
  expect(status).toBe(0);
});
