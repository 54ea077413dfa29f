import { z } from "zod";
import type { Settings } from "./context.ts";
import { identifier, line, list, whole } from "./fields.ts";
import { sha256 } from "./hash.ts";
import { newId, newIds } from "./ids.ts";
import { inputProblems, invalid } from "./input-problems.ts";
import { iso, LIMITS } from "./policy.ts";

/**
 * The merchant's interface, recorded in the audit log, with the name given at the desk's sign-in; or the
 * service itself, by the owner's settings.
 */
export type Actor = "cli" | "desk" | `desk:${string}` | "service";

/** `desk:Ada` → `Ada`. */
export const actorName = (actor: string): string =>
  actor === "cli" ? "command line" : actor.replace(/^desk:/, "");

export type Act = ReturnType<typeof actsOf>;
export type ActContext = ReturnType<Act>;

/** The id in the audit log of the first act of a form that the desk has sent. */
export const formActId = (form: string, place = 0): string =>
  `aud_${sha256(JSON.stringify([form, place])).slice(0, 32)}`;

/**
 * Fresh ids and the time for one act of the merchant. An act writes at most three events, except a
 * cancellation, which brings its own ids. A form is known by its nonce and the values typed into it: sent
 * twice, its acts have the same ids in the audit log, so they happen once.
 */
export function actsOf({ clock }: Pick<Settings, "clock">, actor: Actor, form?: string) {
  let place = 0;
  return () => {
    const now = clock();
    const id = form === undefined ? newId("aud", now) : formActId(form, place++);
    return { now, eventIds: newIds("evt", now, 3), by: { id, actor } };
  };
}

type Shape = z.core.$ZodLooseShape;
type Input<F extends Shape> = z.output<z.ZodObject<F, z.core.$strict>>;
/** A verb without required fields can be called without an argument. */
type Given<F extends Shape> =
  Record<never, never> extends Input<F> ? [input?: Input<F>] : [input: Input<F>];

/** A verb that takes one object, and reads it only after validating it. */
export interface AdminVerb<F extends Shape, R> {
  (...given: Given<F>): Promise<R>;
  readonly fields: z.ZodObject;
}

/** A verb of the merchant. The desk and the command line pass it typed input (contract §15). */
export function adminVerb<const F extends Shape, R>(
  shape: F,
  act: (input: Input<F>) => R | Promise<R>,
): AdminVerb<F, R> {
  let made: z.ZodObject<F, z.core.$strict> | undefined;
  // At first use: all verbs are made for each page of the desk, which uses a few.
  const fields = () => {
    made ??= z.strictObject(shape);
    return made;
  };
  const verb = async (...[input = {} as Input<F>]: Given<F>): Promise<R> => {
    const parsed = fields().safeParse(input);
    if (!parsed.success)
      throw invalid(inputProblems(parsed.error.issues, { schema: fields(), input }));
    return act(parsed.data);
  };
  return Object.defineProperty(verb, "fields", { get: fields }) as AdminVerb<F, R>;
}

/** Version of a value without one of its own, for the forms that change it. */
export const versionOf = (value: unknown): number =>
  Number.parseInt(sha256(JSON.stringify(value)).slice(0, 8), 16);

/** Fields that verbs of several nouns share. */
export const Id = identifier();
/** The version of a row that a page showed. */
export const Seen = whole({ least: 0, most: 9e15 }).optional();
export const Reason = line("The reason", 500).describe("The reason; agent and buyer read it.");
export const ShipmentIds = list(Id, {
  empty: "Choose at least one shipment.",
  most: LIMITS.shipments_per_order,
  of: "shipments",
});

/** Rows of a list unless `limit` is given. */
export const LIST_ROWS = 500;

export const Limit = whole({ least: 1, most: 1000 }).describe(
  `Number of rows; ${LIST_ROWS} if left out.`,
);

/** One page of a list, newest first: up to `limit` rows after the row `before`. */
export const LIST_PAGE = {
  before: z
    .strictObject({ at: whole({ least: 0, most: 1e15 }), id: Id })
    .optional()
    .describe("Rows after this place, which the page before prints."),
  limit: Limit.optional(),
};
export type ListPage = Input<typeof LIST_PAGE>;

/** A row of a list that is sorted by time. */
export type ListRow = { id: string } & ({ created_at: string } | { at: string });

/** A row's place in a list, as links and the command line carry it. */
export const placeOf = (row: ListRow): string =>
  `${Date.parse("at" in row ? row.at : row.created_at)}.${row.id}`;

/** Undefined for any other text. */
export function placeIn(text: unknown): ListPage["before"] {
  const [, at, id] = /^(\d{1,15})\.(\w{1,64})$/.exec(typeof text === "string" ? text : "") ?? [];
  return at !== undefined && id !== undefined ? { at: Number(at), id } : undefined;
}

/** A row for display, with its time as text. */
export const dated = <R extends { created_at: number }>(row: R) =>
  ({ ...row, created_at: iso(row.created_at) }) as Omit<R, "created_at"> & { created_at: string };

/** A list in pages, newest first. */
export const paged = <R, V>(
  read: (before: ListPage["before"], limit?: number) => Promise<R[]>,
  show: (rows: R[]) => V[] | Promise<V[]>,
) => adminVerb(LIST_PAGE, async ({ before, limit }) => show(await read(before, limit)));
