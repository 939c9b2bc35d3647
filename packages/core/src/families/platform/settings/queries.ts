import { defineService, type Environment } from "../../../kernel/config/environment.js";
import { optionsOf } from "../../options.js";
import { PLATFORM_TENANT, STATE_LIFETIME } from "../tenants/fields.js";
import { isDeclared, SETTINGS, type SettingKey, type SettingValue, settingFault } from "./fields.js";
import { platformSettings } from "./schema.js";

const READ_AT_ONCE = 1_000;

/** The settings in force: options, overridden by what is stored. Values come from a snapshot of at most five seconds of age. */
class Settings {
  #stored: ReadonlyMap<string, unknown> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #changes = 0;
  #reading: Promise<void> | undefined;

  constructor(readonly env: Environment) {
    env.onBroadcast([platformSettings], () => {
      this.#readAt = Number.NEGATIVE_INFINITY;
      this.#changes += 1;
    });
  }

  /** What is stored, as it was read last: another object after every reading, so that what follows from it can be kept. */
  get snapshot(): ReadonlyMap<string, unknown> {
    return this.#stored;
  }

  get<K extends SettingKey>(key: K): SettingValue<K> {
    const value = this.#stored.has(key) ? this.#stored.get(key) : SETTINGS[key].byDefault(optionsOf(this.env));
    return value as SettingValue<K>;
  }

  /** Reads the snapshot again when it is too old; `undefined` when it is not. A store that cannot be read leaves it as it is. */
  fresh(): Promise<void> | undefined {
    if (this.env.clock.now() - this.#readAt < STATE_LIFETIME) return undefined;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const readAt = this.env.clock.now();
    const seen = this.#changes;
    try {
      const rows = await this.env.store.forTenant(PLATFORM_TENANT).scan(platformSettings, { size: READ_AT_ONCE });
      this.#stored = new Map(rows.map(({ id, value }) => [id, value.value] as const).filter((row) => this.#sound(row)));
      // A commit while reading may or may not be in what was read.
      if (seen === this.#changes) this.#readAt = readAt;
    } catch (error) {
      this.env.logger.warn({ error: String(error) }, "settings cannot be read; the last known ones stay in force");
    }
  }

  /** A value that an older or newer release has stored and this one cannot use gives way to the default. */
  #sound([key, value]: readonly [string, unknown]): boolean {
    if (!isDeclared(key)) return true;
    const fault = settingFault(key, value);
    if (fault !== undefined) this.env.logger.warn({ setting: key, fault }, "a stored setting is not usable");
    return fault === undefined;
  }
}

export const settings = defineService("platform.settings", (env) => new Settings(env));
