import { reeve } from "@reeve/adapter-express";
import { type ControlPlane, createControlPlane, createMemoryStore, type NeutralRequest } from "@reeve/core";
import express, { type ErrorRequestHandler, type Express, type Request } from "express";
import session from "express-session";

/** A user of the application, with a role in Reeve. */
export interface Employee {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly role: string;
}

declare module "express-session" {
  interface SessionData {
    employee?: { id: string; email: string; role: string };
  }
}

/** An application with its own sign-in and session. Users who are signed in there are signed in to Reeve. */
export async function createApp(settings: {
  employees: readonly Employee[];
  baseUrl: string;
  masterKey: string | undefined;
  sessionSecret: string;
}): Promise<{ app: Express; controlPlane: ControlPlane }> {
  const { employees, baseUrl, masterKey, sessionSecret } = settings;
  const app = express();
  // `sameSite` keeps other sites from sending the cookie.
  const cookie = { httpOnly: true, sameSite: "strict", secure: "auto" } as const;
  app.use(session({ secret: sessionSecret, resave: false, saveUninitialized: false, cookie }));

  let tenantId = "";
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey,
    baseUrl: `${baseUrl}/governance`,
    registration: "closed",
    authenticate({ host }: NeutralRequest) {
      const { employee } = (host as Request).session;
      if (!employee) return undefined;
      return { tenantId, userId: employee.id, username: employee.email, roles: [employee.role] };
    },
  });
  // Creates the tenant at the first start and finds it afterwards.
  ({ tenantId } = await controlPlane.ensureTenant({ externalId: "acme", name: "Acme" }));
  app.use("/governance", reeve(controlPlane));

  app.post("/login", express.json(), (request, response) => {
    const { email, password } = (request.body ?? {}) as { email?: string; password?: string };
    const found = employees.find((employee) => employee.email === email && employee.password === password);
    if (!found) return void response.status(401).end();
    request.session.regenerate((error) => {
      if (error) return void response.status(500).end();
      const { id, role } = found;
      request.session.employee = { id, email: found.email, role };
      response.status(204).end();
    });
  });
  app.post("/logout", (request, response) => request.session.destroy(() => void response.status(204).end()));
  app.use(failed);
  return { app, controlPlane };
}

/** Without it Express answers with the stack of the error. */
const failed: ErrorRequestHandler = (error: { status?: number }, _request, response, next) => {
  if (response.headersSent) return next(error);
  response.status(error.status ?? 500).end();
};
