import type { Clock } from "@reeve/core";
import { collections, type Operation, type ROLES, TENANT_ROLES } from "@reeve/core/reference";
import type { Store } from "@reeve/core/store";
import type { Answer, Send } from "./client.js";
import { bodiesOf, type EstateRecord } from "./estate-records.js";
import { codeIn, linkTokenIn, type Mailbox } from "./mailbox.js";
import { storeFinding } from "./stored-finding.js";

export type Role = keyof typeof ROLES;
/** The built-in roles of a tenant. */
export const ROLE_NAMES = Object.keys(TENANT_ROLES) as (keyof typeof TENANT_ROLES)[];

/** A user who has signed in. */
export interface Actor {
  readonly userId: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** One tenant with a user of every role, and the ways to add to it. */
export class Scene {
  readonly actors = {} as Record<Role, Actor>;
  /** The tenant of the people who run the service. */
  readonly provider: Scene;
  #made = 0;
  #spare: Actor | undefined;

  constructor(
    readonly send: Send,
    readonly store: Store,
    readonly clock: Clock,
    readonly tenantId: string,
    /** Stands in every text of this tenant's records, so that a leak can be seen. */
    readonly sentinel: string,
    /** Where this plane's mail goes. */
    readonly mailbox: Mailbox,
    provider?: Scene,
  ) {
    this.provider = provider ?? this;
  }

  /** The same tenant on another control plane, whose store holds what this one's did. */
  copy({ send, store, clock, mailbox }: Pick<Scene, "send" | "store" | "clock" | "mailbox">, provider?: Scene): Scene {
    const copied = new Scene(send, store, clock, this.tenantId, this.sentinel, mailbox, provider);
    Object.assign(copied.actors, this.actors);
    copied.#made = this.#made;
    return copied;
  }

  /** What the last arrangement was mailed, and to whom. */
  mailed = { address: "nobody@example.test", secret: "00000000" };

  /** The id of what the last arrangement made, for bodies that name it. */
  picked = "";

  /** A text no other call has given. */
  unique(): string {
    this.#made += 1;
    return `${this.sentinel}-${this.#made}`;
  }

  /** Who may do everything here: the owner, or in the provider's own tenant its administrator. */
  get owner(): Actor {
    return this.actors.owner ?? this.actors.provider_admin;
  }

  /** Who in the world may call an operation: this tenant's owner, or the provider's administrator. */
  callerOf({ access }: Operation): Actor {
    return typeof access === "object" && access.provider ? this.provider.owner : this.owner;
  }

  /** Creates an active user with these roles and signs it in. */
  async newUser(roles: readonly string[]): Promise<Actor> {
    const name = this.unique();
    const credentials = { username: `${name}@example.test`, password: `the pass phrase of ${name} 1` };
    const created = await this.send("POST", "/api/v1/users", {
      token: this.owner.token,
      body: { ...credentials, name, roles, metadata: { note: this.sentinel } },
    });
    if (created.status !== 201) throw new Error(created.text);
    return this.signIn(created.json.id, credentials);
  }

  async signIn(userId: string, credentials: { username: string; password: string }): Promise<Actor> {
    // Each sign-in comes from an address of its own, so that the budget of one address is not what a test meets.
    const remoteAddress = this.unique();
    const signedIn = await this.send("POST", "/api/v1/auth/signin", { body: credentials, remoteAddress });
    if (signedIn.status !== 200) throw new Error(signedIn.text);
    return { userId, ...credentials, token: signedIn.json.token, refreshToken: signedIn.json.refreshToken };
  }

  /** The owner once more, with tokens nobody else uses; of the last `signInToSpare`. */
  get spare(): Actor {
    return this.#spare ?? this.owner;
  }

  /** Signs the owner in anew, for what uses tokens up; where nobody may sign in, the spare stays what it was. */
  async signInToSpare(): Promise<void> {
    this.#spare = await this.signIn(this.owner.userId, this.owner).catch(() => this.spare);
  }

  /** Creates a user who has yet to set a password; its invitation has arrived. Gives its id. */
  async newInvited(): Promise<string> {
    const address = `${this.unique()}@example.test`;
    const created = await this.send("POST", "/api/v1/users", {
      token: this.owner.token,
      body: { username: address, roles: [] },
    });
    if (created.status !== 201) throw new Error(created.text);
    this.mailed = { address, secret: linkTokenIn(await this.mailbox.next(address)) };
    // The mail goes out after the answer, so what it leaves in the store is waited for.
    const links = collectionNamed("password_links");
    const reader = this.store.forTenant(this.tenantId);
    while (!(await reader.get(links, created.json.id))?.text.includes('"mail":"sent"')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return created.json.id;
  }

  /** Has a one-time code mailed to an address of its own. */
  async newCode(): Promise<void> {
    const address = `${this.unique()}@example.test`;
    const asked = await this.send("POST", "/api/v1/email/send-otp", {
      body: { email: address },
      remoteAddress: this.unique(),
    });
    if (asked.status !== 200) throw new Error(asked.text);
    this.mailed = { address, secret: codeIn(await this.mailbox.next(address)) };
  }

  /** Registers an asset with every text filled in; gives its id. */
  async newAsset(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    const text = this.unique();
    const body = {
      name: text,
      description: text,
      assetType: "application",
      provider: this.sentinel,
      environment: "test",
      purpose: text,
      owner: { type: "user", id: `owner of ${text}`, name: text },
      sponsor: { type: "user", id: `sponsor of ${text}` },
      externalRef: { source: text, id: text },
      labels: { [text]: text },
      metadata: { note: text },
      configuration: { note: text },
      ...more,
    };
    const created = await this.send("POST", "/api/v1/ai-assets", { token: as.token, body });
    if (created.status !== 201) throw new Error(created.text);
    return created.json.id;
  }

  /** Registers an estate record, and with it its asset, with every text filled in; gives the id of the record. */
  async newRecord(
    name: EstateRecord,
    more: Readonly<Record<string, unknown>> = {},
    as: Actor = this.owner,
  ): Promise<string> {
    const { path, full } = bodiesOf(name);
    const text = this.unique();
    const sponsor = { type: "user", id: `sponsor of ${text}` };
    const texts = { name: text, description: text, provider: this.sentinel, environment: "test", sponsor };
    const free = { metadata: { note: text }, configuration: { note: text } };
    const created = await this.send("POST", path, {
      token: as.token,
      body: { ...texts, ...free, ...full(text), ...more },
    });
    if (created.status !== 201) throw new Error(created.text);
    return created.json.id;
  }

  newIdentity(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    return this.newRecord("aiIdentities", more, as);
  }

  /** Registers an agent that uses nothing. */
  newAgent(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    return this.newRecord("aiAgents", more, as);
  }

  /** Registers a tool that is no MCP server's. */
  newTool(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    return this.newRecord("aiTools", more, as);
  }

  /** Registers a model with a card and an alias. */
  newModel(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    return this.newRecord("aiModels", more, as);
  }

  /** Registers an MCP server with a secret. */
  newMcpServer(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    return this.newRecord("mcpServers", more, as);
  }

  /** What the last scanned server was seen to offer, as a digest. */
  scanned = "0".repeat(64);

  /** Registers an MCP server and has it scanned. */
  async newScannedServer(): Promise<string> {
    const id = await this.newMcpServer();
    const scan = await this.send("POST", `/api/v1/ai/mcp-servers/${id}/scan`, { token: this.owner.token });
    if (scan.json.scan?.outcome !== "ok") throw new Error(scan.text);
    this.scanned = scan.json.manifest.current;
    return id;
  }

  /** Issues a credential to an identity. */
  async newCredential(
    identityId: string,
    body: Readonly<Record<string, unknown>> = {},
    as: Actor = this.owner,
  ): Promise<{
    readonly id: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly expiresAt: string;
  }> {
    const path = `/api/v1/ai/identities/${identityId}/credentials`;
    const issued = await this.send("POST", path, { token: as.token, body: { name: this.unique(), ...body } });
    if (issued.status !== 201) throw new Error(issued.text);
    return issued.json;
  }

  /** Starts a session of an agent of its own; gives its id. */
  async newSession(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    const text = this.unique();
    const body = {
      name: text,
      agentId: await this.newAsset({ assetType: "agent" }),
      userId: `user of ${text}`,
      purpose: text,
      externalIds: { conversationId: text, traceId: text },
      metadata: { note: text },
      configuration: { note: text },
      ...more,
    };
    const created = await this.send("POST", "/api/v1/ai/sessions", { token: as.token, body });
    if (created.status !== 201) throw new Error(created.text);
    return created.json.id;
  }

  /** Asks something of a session: `suspend`, `heartbeat`, and so on. */
  async askSession(id: string, verb: string, body: object, as: Actor = this.owner): Promise<Answer> {
    const answer = await this.send("POST", `/api/v1/ai/sessions/${id}/${verb}`, { token: as.token, body });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer;
  }

  /** A policy whose one rule has a test for each side, with the tenant's sentinel in every text. */
  policyBody(kind: "posture" | "runtime") {
    const text = this.unique();
    const key = text.toLowerCase();
    const shared = { key, name: text, description: text, category: text, metadata: { note: text } };
    const names = (name: string) => ({ asset: { name } });
    const acts = (name: string) => ({ action: { name } });
    return kind === "posture"
      ? {
          ...shared,
          rules: [{ key: "named", assert: 'asset.name != ""', message: text, remediation: text }],
          tests: [
            { name: text, input: names(text), expect: "pass" },
            { name: "nameless", input: names(""), expect: "fail" },
          ],
        }
      : {
          ...shared,
          rules: [{ key: "drops", effect: "deny", if: 'action.name == "drop"', message: text }],
          tests: [
            { name: text, input: acts("drop"), expect: "deny" },
            { name: "else", input: acts("look"), expect: "none" },
          ],
        };
  }

  /** Writes a draft of a policy; gives its id. */
  async newPolicy(kind: "posture" | "runtime", more: object = {}, as: Actor = this.owner): Promise<string> {
    const path = kind === "posture" ? "/api/v1/ai-governance/policies" : "/api/v1/ai/policies";
    const body = { ...this.policyBody(kind), ...more };
    const created = await this.send("POST", path, { token: as.token, body });
    if (created.status !== 201) throw new Error(created.text);
    return created.json.id;
  }

  /** Evaluates the little there is of a type that nobody uses; gives the id of the run. */
  async evaluate(): Promise<string> {
    const body = { name: this.unique(), scope: { assetTypes: ["prompt"] } };
    const path = "/api/v1/ai-governance/evaluations/run";
    return (await this.send("POST", path, { token: this.owner.token, body })).json.id;
  }

  /** The run that waits since a policy has come under observation; gives its id. */
  async newRun(): Promise<string> {
    await this.newPolicy("posture", { status: "observe" });
    const path = "/api/v1/ai-governance/evaluations/runs?status=queued&size=1";
    return (await this.send("GET", path, { token: this.owner.token })).json.items[0].id;
  }

  /** Stores a finding about an asset, as an evaluation would that finds `detected`; gives its id. */
  newFinding(assetId: string, detected: Parameters<typeof storeFinding>[2] = {}): Promise<string> {
    return storeFinding(this, assetId, detected);
  }
}

function collectionNamed(name: string) {
  const collection = collections.find((candidate) => candidate.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  return collection;
}
