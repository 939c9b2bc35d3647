import type { Extension } from "../kernel/config/extension.js";
import type { Area, Follower } from "../kernel/operation/area.js";
import type { FourEyesPlace } from "../kernel/operation/four-eyes.js";
import type { Aged } from "../kernel/operation/retention.js";
import type { Collection } from "../kernel/records/collection.js";
import type { Machine } from "../kernel/records/machine.js";
import type { Permissions } from "./roles.js";

/** When a resource or an area has something to do, and what it does then. */
export interface TimedWork extends Pick<Area, "dues" | "flush" | "tick" | "restored"> {
  /** Records that are dropped once they are older than their kind is kept. */
  // biome-ignore lint/suspicious/noExplicitAny: records of different collections stand in one list
  readonly aged?: readonly Aged<any>[];
}

/** A resource, a folder of an area: all that it adds to the control plane. */
export interface Resource<Operations extends readonly unknown[] = readonly unknown[]> extends TimedWork {
  // biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
  readonly collections?: readonly Collection<any>[];
  readonly machines?: readonly Machine[];
  /** In the order of the reference. */
  readonly operations?: Operations;
  /** Every permission that its operations and transitions require, by name. */
  readonly permissions?: Permissions;
  /** Its decisions outside machines that take a four-eyes approver. */
  readonly fourEyes?: readonly FourEyesPlace[];
  /** The changes that it follows, in order: those of its own collections first. */
  readonly follows?: readonly Follower[];
  /** The parts that it contributes to extension points. */
  readonly extends?: readonly Extension[];
}

/** Declares a resource: one value, which its area lists. */
export function defineResource<const Operations extends readonly unknown[] = readonly []>(
  resource: Resource<Operations>,
): Resource<Operations> {
  return Object.freeze(resource);
}
