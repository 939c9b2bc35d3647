import { instances } from "#families/connectors/index.js";
import { assets, deniedBecause, effectiveOf } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type AccessPrincipal, accessIdentities, principalSubject } from "../identities/schema.js";
import { accessProfiles } from "../profiles/schema.js";
import { unmanagedAmong } from "../resources/managed-resources.js";
import { accessResources } from "../resources/schema.js";
import { whyNotGrantable, whyNotRequestable } from "../targets/why-not-requestable.js";
import { type Blocker, fitOf, type Item, meaningOf, offerOf, retired, standingOf } from "./rules.js";

/** Access that somebody wants an asset to have. */
export interface WantedAccess {
  readonly assetId: string;
  /** None where only asset and target are asked about. */
  readonly identityId?: string;
  readonly connectorInstanceId: string;
  /** What the asset acts as, where that is known already. */
  readonly principal?: AccessPrincipal;
  readonly items?: readonly {
    readonly accessProfileId: string;
    readonly resourceId: string;
    /** What the profile meant when it was decided. */
    readonly definitionHash?: string;
  }[];
}

/** When access is looked at. */
export type Moment = "create" | "evaluate" | "approve" | "grant" | "provision" | "change" | "repair";

type Question = (facts: Facts) => Promise<readonly Blocker[]>;

/** Records that access depends on, each read once and only when a question is about it. */
class Facts {
  #asset: ReturnType<Facts["readAsset"]> | undefined;
  #items: ReturnType<Facts["readItems"]> | undefined;

  constructor(
    readonly ctx: ReadContext,
    readonly wanted: WantedAccess,
  ) {}

  get asset() {
    this.#asset ??= this.readAsset();
    return this.#asset;
  }

  get items() {
    this.#items ??= this.readItems();
    return this.#items;
  }

  async readAsset() {
    const row = await this.ctx.db.get(assets, this.wanted.assetId);
    return row && this.ctx.derived(assets, row);
  }

  async readItems(): Promise<readonly Item[]> {
    const { ctx } = this;
    const { items = [] } = this.wanted;
    const [profiles, resources] = await Promise.all([
      ctx.db.getMany(accessProfiles, [...new Set(items.map(({ accessProfileId }) => accessProfileId))]),
      ctx.db.getMany(accessResources, [...new Set(items.map(({ resourceId }) => resourceId))]),
    ]);
    return items.map(({ accessProfileId, resourceId, definitionHash }) => ({
      profile: profiles.find(({ id }) => id === accessProfileId)?.value,
      resource: resources.find(({ id }) => id === resourceId)?.value,
      definitionHash,
    }));
  }

  async target() {
    const row = await this.ctx.db.get(instances, this.wanted.connectorInstanceId);
    return row && this.ctx.derived(instances, row);
  }
}

/** Whether there is such an asset, and it is not retired. */
const askAsset: Question = async (facts) => retired(await facts.asset);

/** Whatever stops the asset stops this: kill switches, halts, its own state and what it stands or falls with. */
const askUse: Question = async (facts) => {
  const asset = await facts.asset;
  if (!asset || asset.status === "retired") return [];
  const effective = await effectiveOf(facts.ctx, asset.id, asset.assetType);
  if (effective.decision !== "deny") return [];
  const message = `The asset may not be used now: ${deniedBecause(effective)}.`;
  return [{ code: "asset_denied", remedy: "wait", message }];
};

/** Whether the asset acts as what it was decided for. */
const askIdentity: Question = async ({ ctx, wanted: { identityId, assetId, connectorInstanceId, principal } }) => {
  const one = identityId === undefined ? undefined : (await ctx.db.get(accessIdentities, identityId))?.value;
  const isSame = !principal || (one && principalSubject(one.principal) === principalSubject(principal));
  if (one?.assetId === assetId && one.connectorInstanceId === connectorInstanceId && isSame) return [];
  return [{ code: "identity_gone", remedy: "none", message: "The asset does not act as this in the target any more." }];
};

const askMeaning: Question = async (facts) => (await facts.items).flatMap(meaningOf);
const askOffer: Question = async (facts) => (await facts.items).flatMap(offerOf);
const askResources: Question = async (facts) => (await facts.items).flatMap(standingOf);
const askFit: Question = async (facts) =>
  (await facts.items).flatMap((one, item) => fitOf(one, item, facts.wanted.principal));

/** Whether the resources are under management, by their own mark or by what they lie in. */
const askManagement: Question = async (facts) => {
  const items = await facts.items;
  const unmanaged = await unmanagedAmong(
    facts.ctx,
    items.flatMap(({ resource }) => resource ?? []),
  );
  return items.flatMap(({ resource }, item): Blocker[] => {
    const by = resource && unmanaged.get(resource.id);
    const message = by && `"${by.name}" is marked as unmanaged: access there is never changed.`;
    return message ? [{ item, code: "unmanaged", remedy: "wait", message }] : [];
  });
};

const askTargetBy =
  (why: typeof whyNotRequestable): Question =>
  async (facts) => {
    const target = await facts.target();
    if (!target) return [{ code: "target_gone", remedy: "none", message: "The target is gone." }];
    const code = await why(facts.ctx, target);
    if (code === undefined) return [];
    const messages: Partial<Record<typeof code, string>> = {
      kill_switch: "Provisioning is switched off.",
      not_active: `The target is ${target.status}.`,
      observe_mode: "The target is under observation: access there is never changed.",
      unhealthy: `The target is ${target.health}.`,
      no_grant_capability: "Its connector grants nothing.",
      never_synced: "The target was never read.",
    };
    return [{ code, remedy: "wait", message: messages[code] ?? `Access there cannot be requested: ${code}.` }];
  };

/** Whether requests are taken for the target. */
const askTarget = askTargetBy(whyNotRequestable);
/** Whether anything may be granted in the target. One that does not answer is asked again until it does. */
const askConnection = askTargetBy(whyNotGrantable);

/** What is asked at each moment, in the order in which blockers are listed. */
const QUESTIONS: Readonly<Record<Moment, readonly Question[]>> = {
  create: [askAsset, askUse, askTarget],
  evaluate: [askManagement, askMeaning, askOffer, askResources, askFit],
  approve: [askMeaning],
  grant: [askAsset, askIdentity, askUse, askMeaning, askResources, askManagement, askConnection],
  provision: [askAsset, askIdentity, askResources, askMeaning, askFit],
  change: [askMeaning, askFit],
  repair: [...[askConnection, askResources, askMeaning, askFit], ...[askIdentity, askAsset, askUse, askManagement]],
};

/**
 * All that keeps access from being asked for (`create` for asset and target, `evaluate` for the items), approved,
 * granted, provisioned, changed or kept by a repair at this moment; empty when nothing does.
 */
export async function blockersOf(ctx: ReadContext, wanted: WantedAccess, moment: Moment): Promise<Blocker[]> {
  const facts = new Facts(ctx, wanted);
  const blockers: Blocker[] = [];
  for (const ask of QUESTIONS[moment]) blockers.push(...(await ask(facts)));
  return blockers;
}
