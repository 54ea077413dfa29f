import type { Argument, Command } from "commander";
import { MerchantError } from "../domain/shared/errors.ts";
import { LIST_ROWS, type ListPage, placeIn, placeOf } from "../merchant/admin-fields.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import { type Columns, table } from "./text.ts";

/** What the command line needs of the world; tests hand in their own. */
export interface CliEnvironment {
  /** Opens the shop's database and closes it when the act is done. */
  withMerchant<T>(act: (merchant: Merchant) => Promise<T>): Promise<T>;
  out(text: string): void;
  err(text: string): void;
}

export interface Verb<T> {
  /** As commander has it: `ship <id>`. */
  usage: string;
  does: string;
  /** One that `usage` cannot tell whole. */
  argument?: Argument;
  /** Options with their descriptions; all of them take a value. */
  options?: Record<string, string>;
  required?: Record<string, string>;
  act(admin: Admin, words: string[], options: Options, merchant: Merchant): Promise<T>;
  text(value: T, options: Options): string;
}

export type Options = Record<string, string | undefined>;

/** One verb under a noun: run over the shop, shown as a table or, with --json, as one JSON value. */
export function verb<T>(noun: Command, world: CliEnvironment, of: Verb<T>): void {
  const command = noun.command(of.usage).description(of.does);
  if (of.argument) command.addArgument(of.argument);
  for (const [flag, does] of Object.entries(of.required ?? {})) command.requiredOption(flag, does);
  for (const [flag, does] of Object.entries(of.options ?? {})) command.option(flag, does);
  command.action(async () => {
    const options = command.optsWithGlobals<Options & { json?: boolean }>();
    const value = await world.withMerchant((merchant) =>
      of.act(merchant.admin("cli"), command.args, options, merchant),
    );
    world.out(options.json ? `${JSON.stringify(value, null, 2)}\n` : of.text(value, options));
  });
}

/** How much of a list is shown; what --before takes stands below a page that is not the last. */
export const LIMIT_OPTION = { "--limit <n>": `how many (${LIST_ROWS} as a rule)` };
const PAGE_OPTIONS = {
  ...LIMIT_OPTION,
  "--before <place>": "the rows behind that place, as the page before names it",
};

interface PagedList<R> {
  usage?: string;
  does: string;
  rows(admin: Admin): (page: ListPage) => Promise<readonly R[]>;
  columns: Columns<NoInfer<R>>;
  none: string;
  /** The moment that the list is sorted by: `created_at` as a rule. */
  at?: NoInfer<keyof R>;
}

/** A list by pages, newest first. */
export function list<R extends { id: string }>(
  noun: Command,
  world: CliEnvironment,
  { usage = "list", does, rows, columns, none, at = "created_at" as keyof R }: PagedList<R>,
): void {
  verb(noun, world, {
    usage,
    does,
    options: PAGE_OPTIONS,
    act: (admin, _words, options) => rows(admin)(pageOf(options)),
    text: (found, { limit }) => {
      const last = found.at(-1);
      const full = last !== undefined && found.length >= Number(limit ?? LIST_ROWS);
      return (
        table(found, columns, none) +
        (full ? `Older: --before ${placeOf(last, String(last[at]))}\n` : "")
      );
    },
  });
}

function pageOf({ limit, before }: Options): ListPage {
  const place = placeIn(before);
  if (before !== undefined && place === undefined) {
    throw new MerchantError("VALIDATION_FAILED", "--before takes what stands below a page.");
  }
  return {
    ...(limit !== undefined && { limit: whole(limit, "--limit") }),
    ...(place && { before: place }),
  };
}

export function whole(text: string, what: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new MerchantError(
    "VALIDATION_FAILED",
    `${what} must be a whole number from 0, not "${text}".`,
  );
}
