import { setTimeout as sleep } from "node:timers/promises";
import { Browser, type ServiceProvider, startServiceProvider } from "@reeve/testkit/saml";
import type { Client } from "../client.js";
import { expectSame, expectTrue, Unexpected } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { AppSession, List, SamlApp } from "../wire.js";
import { grantSignOn } from "./governed-sign-on.js";
import { newPassword } from "./tenant.js";

const APPS = "/api/v1/saml-apps";
/** How long a logout may take to arrive, in ms: jobs run some seconds after each other. */
const PATIENCE = 60_000;

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Somebody signs on to a real application by SAML, and is logged out of it when it is taken away from them. */
export async function signOnToApplication(story: Story): Promise<void> {
  chapter(
    "Sign-on",
    "An application of somebody else's making lets people in on Reeve's word, until Reeve takes it back.",
  );
  const ada = known(story.ada, "Ada").client;
  const application = await startServiceProvider();
  try {
    const app = await register(story, ada, application);
    const linus = { username: `linus@${story.mark}.example`, password: newPassword() };
    const { body } = await ada.post<{ id: string }>("/api/v1/users", { ...linus, name: "Linus", roles: ["member"] });
    await refuseUnassigned(story, application, linus);
    const assignment = await assign(ada, app, body.id);
    const browser = new Browser();
    await comeAndGo(application, browser, linus);
    await takeAway(ada, app, assignment, application);
    await refuseAgain(story, application, browser);
    await certify(story, application, app, { userId: body.id, browser });
  } finally {
    await application.stop();
  }
}

async function register({ mark }: Story, ada: Client, application: ServiceProvider): Promise<SamlApp> {
  const { body: form } = await ada.get<{ identityProvider: { entityId: string } }>(`${APPS}/create`);
  application.trust(await (await fetch(form.identityProvider.entityId)).text());
  const body = { name: `Expenses ${mark}`, status: "active", ...application.registration };
  const { body: app } = await ada.post<SamlApp>(`${APPS}/create`, body, { expect: 200 });
  done(`“${app.name}”, a web application built with node-saml, is registered with its certificate`);
  return app;
}

const FORBIDDEN = "You may not use this application";

async function refuseUnassigned(story: Story, application: ServiceProvider, person: Credentials): Promise<void> {
  const shown = await signedIn(application, new Browser(), person);
  expectTrue("it is not assigned to him", shown.includes(FORBIDDEN), shown.slice(0, 200));
  refused(`Linus opens it and signs in at Reeve: “${FORBIDDEN}”`);
  story.refusals += 1;
}

async function assign(ada: Client, { id, name }: SamlApp, userId: string): Promise<string> {
  const subject = { subjectType: "user", subjectId: userId, reason: "Linus pays the bills." };
  const { body } = await ada.post<{ id: string }>(`${APPS}/${id}/assignments`, subject);
  done(`Ada assigns “${name}” to Linus`);
  return body.id;
}

async function comeAndGo(application: ServiceProvider, browser: Browser, person: Credentials): Promise<void> {
  const there = `Signed on as ${person.username}.`;
  expectSame("he is signed on", await signedIn(application, browser, person), there);
  done(`He opens it, signs in at Reeve, and is there: “${there}”`);
  await browser.open(`${application.url}/logout`);
  expectSame("nobody is signed on there", application.sessions, 0);
  expectSame("he is back", await signedIn(application, browser, person), there);
  done("He logs out there, which logs him out at Reeve too: the next visit asks for his password again");
}

/** What the application shows once somebody has signed in at Reeve, which it must ask for. */
async function signedIn(application: ServiceProvider, browser: Browser, person: Credentials): Promise<string> {
  const page = await browser.open(application.url);
  expectTrue("the application sends him to Reeve", page.html.includes("Sign in"), page.html.slice(0, 200));
  return (await browser.submit(page, { ...person })).html;
}

/** Nobody is at the browser: the application is told by Reeve itself. */
async function takeAway(ada: Client, { id }: SamlApp, assignment: string, application: ServiceProvider): Promise<void> {
  expectSame("he is signed on", application.sessions, 1);
  await ada.remove(`${APPS}/${id}/assignments/${assignment}`);
  done("Ada takes it away from him, while he is signed on");
  await reported(ada, id, application, 1);
  done("Reeve tells the application, from server to server; it ends his session and says so: residualAccess none");
}

/** Waits until the application has confirmed that so many sessions are over that access had, and looks there. */
async function reported(ada: Client, id: string, application: ServiceProvider, count: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; ; await sleep(250)) {
    const { body } = await ada.get<List<AppSession>>(`${APPS}/${id}/sessions`);
    const ended = body.items.filter(({ endReason }) => endReason === "access_revoked");
    if (ended.length === count && ended.every(({ residualAccess }) => residualAccess === "none")) break;
    if (Date.now() > deadline) throw new Unexpected("the application confirms the logout", "confirmed", ended);
  }
  expectSame("the application has ended his session", application.sessions, 0);
}

/** The same sign-on as access that is asked for, granted and certified: its end ends the session too. */
async function certify(
  story: Story,
  application: ServiceProvider,
  app: SamlApp,
  { userId, browser }: { readonly userId: string; readonly browser: Browser },
): Promise<void> {
  const granted = await grantSignOn(story, app, userId);
  const { html: shown } = await browser.open(application.url);
  expectTrue("he is signed on without a password", shown.startsWith("Signed on as "), shown.slice(0, 200));
  expectSame("he is signed on", application.sessions, 1);
  await granted.certifyAway();
  await reported(known(story.ada, "Ada").client, app.id, application, 2);
  const { html: text } = await browser.open(application.url);
  expectTrue("he is not let in again", text.includes(FORBIDDEN), text.slice(0, 200));
  refused("A certification asks Grace, who revokes it: his session there ends too, and he is not let in again");
  story.refusals += 1;
}

async function refuseAgain(story: Story, application: ServiceProvider, browser: Browser): Promise<void> {
  const { html: text } = await browser.open(application.url);
  expectTrue("he is not let in again", text.includes(FORBIDDEN), text.slice(0, 200));
  refused("He opens it once more: refused, although he is still signed in at Reeve");
  note("Each sign-on and each end is an event; GET /api/v1/saml-apps/{id}/sessions shows what may be left.");
  story.refusals += 1;
}
