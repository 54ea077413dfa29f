import type { Argument, Command } from "commander";
import { LIST_ROWS, type ListPage, type ListRow, placeIn, placeOf } from "../core/admin-verb.ts";
import { MerchantError } from "../core/errors.ts";
import { decimal } from "../core/fields.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import { type Columns, inShopTime, orderText, table } from "./text.ts";

/** Environment of the command line; tests pass their own. */
export interface CliEnvironment {
  /** The command as typed in a terminal here. */
  command: string;
  /** Opens the shop's database and closes it after the act. */
  withMerchant<T>(act: (merchant: Merchant) => Promise<T>): Promise<T>;
  out(text: string): void;
  err(text: string): void;
}

/** Commands by usage: `shipments ship <id>`. */
export type Commands = Record<string, Verb | Stream>;

interface Usage {
  does: string;
  /** An argument with choices, which the usage cannot express. */
  argument?: Argument;
  /** Descriptions by option. */
  options?: Record<string, string>;
  required?: Record<string, string>;
}

/** A command with one result, shown as text or, with --json, as one JSON value. */
interface Verb<T = unknown> extends Usage {
  act(admin: Admin, words: Words, options: Options, merchant: Merchant): Promise<T>;
  text(value: T, options: Options): string;
}

/** A command whose output may be longer than memory, written part by part. */
interface Stream extends Usage {
  parts(merchant: Merchant, words: Words): AsyncIterable<string>;
}

/** Arguments; commander checks that each one of the usage is there. */
type Words = [string, string, ...string[]];
export type Options = Record<string, string | undefined>;

export function addCommand(command: Command, of: Verb | Stream, world: CliEnvironment): void {
  command.description(of.does);
  if (of.argument) command.addArgument(of.argument);
  for (const [flag, does] of Object.entries(of.required ?? {})) command.requiredOption(flag, does);
  for (const [flag, does] of Object.entries(of.options ?? {})) command.option(flag, does);
  command.action(() =>
    world.withMerchant(async (merchant) => {
      const words = command.args as Words;
      const options = command.optsWithGlobals<Options & { json?: boolean }>();
      if ("parts" in of) {
        if (options.json) throw new MerchantError("VALIDATION_FAILED", "This is CSV, not JSON.");
        for await (const part of of.parts(merchant, words)) world.out(part);
        return;
      }
      const value = await of.act(merchant.admin("cli"), words, options, merchant);
      world.out(
        options.json ? `${JSON.stringify(value, null, 2)}\n` : inShopTime(of.text(value, options)),
      );
    }),
  );
}

export const verb = <T>(of: Verb<T>): Verb => of;

/** An act on an order, whose id `act` returns. Shows the order afterwards. */
export const onOrder = ({ act, ...usage }: Omit<Verb<string>, "text">): Verb =>
  verb({
    ...usage,
    act: async (admin, words, options, merchant) =>
      admin.orders.show({ order_id: await act(admin, words, options, merchant) }),
    text: orderText,
  });

export const LIMIT_OPTION = { "--limit <n>": `how many (default ${LIST_ROWS})` };

interface PagedList<R> {
  does: string;
  rows(admin: Admin): (page: ListPage) => Promise<readonly R[]>;
  columns: Columns<NoInfer<R>>;
  none: string;
}

/** A paged list, newest first. */
export const list = <R extends ListRow>({ does, rows, columns, none }: PagedList<R>): Verb =>
  verb({
    does,
    options: {
      ...LIMIT_OPTION,
      "--before <place>": "rows after that place, which the page before prints",
    },
    act: (admin, _words, options) => rows(admin)(pageOf(options)),
    text: (found, { limit, before }) =>
      table(found, columns, before === undefined ? none : "Nothing older.") +
      further(found, limit, (last) => `Older: --before ${placeOf(last)}`),
  });

/** Hint for the next page, below a full one. */
export function further<R>(
  found: readonly R[],
  limit: string | undefined,
  says: (last: R) => string,
): string {
  const last = found.at(-1);
  return last !== undefined && found.length >= Number(limit ?? LIST_ROWS) ? `${says(last)}\n` : "";
}

function pageOf({ limit, before }: Options): ListPage {
  const place = placeIn(before);
  if (before !== undefined && place === undefined) {
    throw new MerchantError("VALIDATION_FAILED", "--before takes the value printed below a page.");
  }
  return {
    ...(limit !== undefined && { limit: whole(limit, "--limit") }),
    ...(place && { before: place }),
  };
}

export function whole(text: string, what: string): number {
  const value = decimal(text);
  if (value !== null) return value;
  throw new MerchantError(
    "VALIDATION_FAILED",
    `${what} must be a whole number such as 12, not "${text}".`,
  );
}
