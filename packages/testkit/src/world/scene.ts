import type { Clock } from "@reeve/core";
import { collections, type Operation, type ROLES, TENANT_ROLES } from "@reeve/core/reference";
import type { Store } from "@reeve/core/store";
import type { Answer, Send } from "./client.js";
import { bodiesOf, type EstateRecord } from "./estate-records.js";
import { codeIn, linkTokenIn, type Mailbox } from "./mailbox.js";
import { policyBody } from "./policy-bodies.js";
import { storeFinding } from "./stored-finding.js";

export type Role = keyof typeof ROLES;
/** The built-in roles of a tenant. */
export const ROLE_NAMES = Object.keys(TENANT_ROLES) as (keyof typeof TENANT_ROLES)[];

/** A signed-in user. */
export interface Actor {
  readonly userId: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** One tenant with a user of every role, and methods to add records. */
export class Scene {
  readonly actors = {} as Record<Role, Actor>;
  /** The provider's own tenant. */
  readonly provider: Scene;
  #made = 0;
  #spare: Actor | undefined;

  constructor(
    readonly send: Send,
    readonly store: Store,
    readonly clock: Clock,
    readonly tenantId: string,
    /** Part of every text in this tenant's records, to detect leaks. */
    readonly sentinel: string,
    /** Receives the mail of this control plane. */
    readonly mailbox: Mailbox,
    provider?: Scene,
  ) {
    this.provider = provider ?? this;
  }

  /** The same tenant on another control plane, whose store has the same data. */
  copy({ send, store, clock, mailbox }: Pick<Scene, "send" | "store" | "clock" | "mailbox">, provider?: Scene): Scene {
    const copied = new Scene(send, store, clock, this.tenantId, this.sentinel, mailbox, provider);
    // Tests sign their actors in again.
    for (const [role, actor] of Object.entries(this.actors)) copied.actors[role as Role] = { ...actor };
    copied.#made = this.#made;
    return copied;
  }

  /** What the last `arrange` was mailed, and to whom. */
  mailed = { address: "nobody@example.test", secret: "00000000" };

  /** The id from the last `arrange`, for bodies that need it. */
  picked = "";

  /** A text that no other call returns. */
  unique(): string {
    this.#made += 1;
    return `${this.sentinel}-${this.#made}`;
  }

  /** Who may do everything here: the owner, or the administrator in the provider's own tenant. */
  get owner(): Actor {
    return this.actors.owner ?? this.actors.provider_admin;
  }

  /** Who may call an operation: this tenant's owner, or the provider's administrator. */
  callerOf({ access }: Operation): Actor {
    if (typeof access !== "object") return this.owner;
    if (access.provider) return this.provider.owner;
    // Whoever edits a policy of access decides no request that day.
    return access.permission === "access-policy:write" ? (this.actors.governance_officer ?? this.owner) : this.owner;
  }

  /** Switches `strictBodies` off, for tests that send properties no schema knows. */
  async keepUnknownFields(): Promise<void> {
    const body = { strictBodies: false };
    const changed = await this.send("PATCH", "/api/v1/tenant/settings", { token: this.owner.token, body });
    if (changed.status !== 200) throw new Error(changed.text);
  }

  /** Creates an active user with these roles and signs in. */
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
    // Each sign-in has its own address, so that tests do not hit the limit per address.
    const remoteAddress = this.unique();
    const signedIn = await this.send("POST", "/api/v1/auth/signin", { body: credentials, remoteAddress });
    if (signedIn.status !== 200) throw new Error(signedIn.text);
    return { userId, ...credentials, token: signedIn.json.token, refreshToken: signedIn.json.refreshToken };
  }

  /** The owner with separate tokens, from the last `signInToSpare`. */
  get spare(): Actor {
    return this.#spare ?? this.owner;
  }

  /** Signs the owner in again, for tests that end tokens. If sign-in is off, the spare stays as it was. */
  async signInToSpare(): Promise<void> {
    this.#spare = await this.signIn(this.owner.userId, this.owner).catch(() => this.spare);
  }

  /** Creates a user without a password, whose invitation has arrived. Returns its id. */
  async newInvited(): Promise<string> {
    const address = `${this.unique()}@example.test`;
    const created = await this.send("POST", "/api/v1/users", {
      token: this.owner.token,
      body: { username: address, roles: [] },
    });
    if (created.status !== 201) throw new Error(created.text);
    this.mailed = { address, secret: linkTokenIn(await this.mailbox.next(address)) };
    // The mail is sent after the answer, so wait for its record in the store.
    const links = collectionNamed("password_links");
    const reader = this.store.forTenant(this.tenantId);
    while (!(await reader.get(links, created.json.id))?.text.includes('"mail":"sent"')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return created.json.id;
  }

  /** Requests a one-time code for a new address. */
  async newCode(): Promise<void> {
    const address = `${this.unique()}@example.test`;
    const asked = await this.send("POST", "/api/v1/email/send-otp", {
      body: { email: address },
      remoteAddress: this.unique(),
    });
    if (asked.status !== 200) throw new Error(asked.text);
    this.mailed = { address, secret: codeIn(await this.mailbox.next(address)) };
  }

  /** Registers an asset with every text field. Returns its id. */
  async newAsset(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    const text = this.unique();
    const body = {
      name: text,
      description: text,
      assetType: "application",
      provider: this.sentinel,
      environment: "test",
      purpose: text,
      owner: { type: "external", id: `owner of ${text}`, name: text },
      sponsor: { type: "external", id: `sponsor of ${text}`, name: text },
      externalRef: { source: text, id: text },
      labels: { [text]: text },
      metadata: { note: text },
      attributes: { note: text },
      ...more,
    };
    const created = await this.send("POST", "/api/v1/ai-assets", { token: as.token, body });
    if (created.status !== 201) throw new Error(created.text);
    return created.json.id;
  }

  /** Registers a typed record with every text field, and its asset. Returns the record's id. */
  async newRecord(
    name: EstateRecord,
    more: Readonly<Record<string, unknown>> = {},
    as: Actor = this.owner,
  ): Promise<string> {
    const { path, full } = bodiesOf(name);
    const text = this.unique();
    const sponsor = { type: "external", id: `sponsor of ${text}`, name: text };
    const texts = { name: text, description: text, provider: this.sentinel, environment: "test", sponsor };
    const free = { metadata: { note: text }, attributes: { note: text } };
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

  /** Registers an agent without relations. */
  newAgent(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    return this.newRecord("aiAgents", more, as);
  }

  /** Registers a tool that belongs to no MCP server. */
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

  /** The manifest digest of the last scanned server. */
  scanned = "0".repeat(64);

  /** Registers an MCP server and scans it. */
  async newScannedServer(): Promise<string> {
    // Who registers a server does not approve what it offers.
    const id = await this.newMcpServer({}, this.actors.operator);
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

  async #govern(assetId: string, as: Actor, body: object): Promise<void> {
    const { token } = as;
    const headers = { "if-match": "*" };
    const answer = await this.send("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, { token, headers, body });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  /** Registers an asset that is approved under the condition `logging`. Returns its id. */
  async newConditionalAsset(): Promise<string> {
    const assetId = await this.newAsset();
    await this.#govern(assetId, this.owner, { status: "under_review" });
    const conditions = [{ key: "logging", text: this.unique() }];
    await this.#govern(assetId, this.actors.approver, {
      status: "conditionally_approved",
      configuration: { conditions },
    });
    return assetId;
  }

  /** Asks for the review of a new asset. Returns the id of what waits for it. */
  async newReview(): Promise<string> {
    const assetId = await this.newAsset();
    const { token } = this.owner;
    await this.#govern(assetId, this.owner, { status: "under_review" });
    const { json } = await this.send("GET", `/api/v1/reviews?assetId=${assetId}`, { token });
    return json.items[0].id;
  }

  /** Starts a session of a new agent. Returns its id. */
  async newSession(more: Readonly<Record<string, unknown>> = {}, as: Actor = this.owner): Promise<string> {
    const text = this.unique();
    const body = {
      name: text,
      agentId: await this.newAsset({ assetType: "agent" }),
      userId: `user of ${text}`,
      purpose: text,
      externalIds: { conversationId: text, traceId: text },
      metadata: { note: text },
      attributes: { note: text },
      ...more,
    };
    const created = await this.send("POST", "/api/v1/ai/sessions", { token: as.token, body });
    if (created.status !== 201) throw new Error(created.text);
    return created.json.id;
  }

  /** Sends an action to a session: `suspend`, `heartbeat`, and so on. */
  async askSession(id: string, verb: string, body: object, as: Actor = this.owner): Promise<Answer> {
    const answer = await this.send("POST", `/api/v1/ai/sessions/${id}/${verb}`, { token: as.token, body });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer;
  }

  /** A policy of one rule with a passing and a failing test, and the tenant's sentinel in every text. */
  policyBody(kind: "posture" | "runtime") {
    return policyBody(kind, this.unique());
  }

  /** Creates a policy, a draft unless `status` says otherwise. Somebody else puts it in force. Returns its id. */
  async newPolicy(
    kind: "posture" | "runtime",
    { status, ...more }: { readonly status?: string } & Readonly<Record<string, unknown>> = {},
    as: Actor = this.owner,
  ): Promise<string> {
    const path = kind === "posture" ? "/api/v1/ai-governance/policies" : "/api/v1/ai/policies";
    const first = status === undefined || status === "active" ? {} : { status };
    const body = { ...this.policyBody(kind), ...more, ...first };
    const created = await this.send("POST", path, { token: as.token, body });
    if (created.status !== 201) throw new Error(created.text);
    if (status === "active") await this.activatePolicy(created.json.id, as);
    return created.json.id;
  }

  /** Puts a policy in force, by another person than who wrote it. */
  async activatePolicy(id: string, writer: Actor = this.owner): Promise<void> {
    const { token } = writer.userId === this.actors.admin.userId ? this.owner : this.actors.admin;
    const path = `/api/v1/ai-governance/policies/${id}`;
    const { status, text } = await this.send("PUT", path, {
      token,
      headers: { "if-match": "*" },
      body: { status: "active" },
    });
    if (status !== 200) throw new Error(text);
  }

  /** Evaluates a type with few assets. Returns the id of the run. */
  async evaluate(): Promise<string> {
    const body = { name: this.unique(), scope: { assetTypes: ["prompt"] } };
    const path = "/api/v1/ai-governance/evaluations/run";
    return (await this.send("POST", path, { token: this.owner.token, body })).json.id;
  }

  /** The pending run of a policy that was put under observation. Returns its id. */
  async newRun(): Promise<string> {
    await this.newPolicy("posture", { status: "observe" });
    const path = "/api/v1/ai-governance/evaluations/runs?status=queued&size=1";
    return (await this.send("GET", path, { token: this.owner.token })).json.items[0].id;
  }

  /** Stores a finding on an asset, like an evaluation with the result `detected`. Returns its id. */
  newFinding(assetId: string, detected: Parameters<typeof storeFinding>[2] = {}): Promise<string> {
    return storeFinding(this, assetId, detected);
  }
}

function collectionNamed(name: string) {
  const collection = collections.find((candidate) => candidate.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  return collection;
}
