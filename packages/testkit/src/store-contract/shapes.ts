import type { StoredRecord } from "@reeve/core/store";
import { defineCollection } from "@reeve/core/testing";
import { z } from "zod";
import { at, idOf } from "./builders.js";

/** A parcel as the first release stored it. */
export interface OldParcel extends StoredRecord {
  readonly place: string;
  readonly status: string;
  readonly note: string;
}

/** A parcel with the region that its place is in, as the present release stores it. */
export interface Parcel extends OldParcel {
  readonly region: string;
}

const shape = {
  id: z.string(),
  version: z.number().int(),
  createdAt: z.string(),
  place: z.string(),
  status: z.string(),
  note: z.string(),
};

const first = {
  name: "contract_parcels",
  prefix: "prc",
  retain: true,
  fields: { place: { type: "text" }, status: { type: "text" } },
  indexes: [{ where: ["status"] }],
  unique: { place: ["place"] },
  counted: ["status"],
} as const;

/** The collection as code of the first release knows it, on the table of the present one. */
export const oldParcels = defineCollection<OldParcel>({
  ...first,
  schema: z.object(shape),
  search: (parcel) => parcel.note,
});

const regionOf = ({ place }: Pick<OldParcel, "place">) => place.split("/")[0] ?? "";

/** The collection of shape 2. The region follows from the place, which older code still changes. */
export const parcels = defineCollection<Parcel>({
  ...first,
  schema: z.object({ ...shape, region: z.string() }),
  fields: { ...first.fields, region: { type: "text" } },
  indexes: [...first.indexes, { where: ["region"] }, { where: [], by: "region" }],
  search: (parcel) => `${parcel.note}\n${parcel.region}`,
  shapeVersion: 2,
  upcasts: { 1: (stored) => ({ ...stored, region: regionOf(stored as unknown as OldParcel) }) },
  counted: [...first.counted, "region"],
  addedFields: ["region"],
});

/** A parcel as the next release stores it. */
export interface NextParcel extends Parcel {
  readonly size: string;
}

/** The collection as code of the next release knows it. */
export const nextParcels = defineCollection<NextParcel>({
  ...first,
  schema: z.object({ ...shape, region: z.string(), size: z.string() }),
  fields: parcels.fields as never,
  indexes: [...first.indexes, { where: ["region"] }],
  search: (parcel) => parcel.note,
  shapeVersion: 3,
  upcasts: { 1: parcels.upcasts?.[1] as never, 2: (stored) => ({ size: "small", ...stored }) },
});

export function oldParcel(n: number, patch: Partial<OldParcel> = {}): OldParcel {
  return { id: idOf("prc", n), version: 1, createdAt: at(n), place: `eu/${n}`, status: "new", note: "", ...patch };
}
