import { collections, machines, type Operation, operations } from "@reeve/core/reference";
import { published } from "../../packages/core/test/fixtures/published-operations.js";
import { chainVectorsPage } from "./chain-vectors.js";
import { coveragePage } from "./coverage.js";
import { errorsPage } from "./errors.js";
import { eventsPage } from "./events.js";
import { fourEyesPage } from "./four-eyes.js";
import type { ReferencePage } from "./markdown.js";
import { openapiPage } from "./openapi.js";
import { operationsPage } from "./operations.js";
import { optionsPage } from "./options.js";
import { permissionsPage } from "./permissions.js";
import { realSystemsPage } from "./real-systems.js";
import { rulesPage } from "./rules.js";
import { settingsPage } from "./settings.js";
import { statesPage } from "./states.js";
import { tasksPage } from "./tasks.js";

/** Every page of docs/reference, generated from the sources. */
export async function referencePages(): Promise<ReferencePage[]> {
  const table: readonly Operation[] = operations;
  return [
    operationsPage(table),
    tasksPage(table),
    statesPage(machines, collections),
    fourEyesPage(machines),
    errorsPage(),
    permissionsPage(table, machines),
    eventsPage(collections, machines),
    optionsPage(),
    settingsPage(),
    coveragePage(table, published),
    openapiPage(),
    rulesPage(),
    await realSystemsPage(),
    await chainVectorsPage(),
  ];
}
