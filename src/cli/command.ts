import type { Command } from "commander";
import { MerchantError } from "../domain/shared/errors.ts";
import { LIST_ROWS, type ListPage } from "../merchant/admin-fields.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";

/** What the command line needs of the world; tests hand in their own. */
export interface CliEnvironment {
  /** Opens the shop's database and closes it when the act is done. */
  withMerchant<T>(act: (merchant: Merchant) => Promise<T>): Promise<T>;
  out(text: string): void;
  err(text: string): void;
}

interface Verb<T> {
  /** As commander has it: `ship <id>`. */
  usage: string;
  does: string;
  /** Options with their descriptions; all of them take a value. */
  options?: Record<string, string>;
  required?: Record<string, string>;
  flags?: Record<string, string>;
  act(admin: Admin, words: string[], options: Options, merchant: Merchant): Promise<T>;
  text(value: T, options: Options): string;
}

export type Options = Record<string, string | undefined>;

/** One verb under a noun: run over the shop, shown as a table or, with --json, as one JSON value. */
export function verb<T>(noun: Command, world: CliEnvironment, of: Verb<T>): void {
  const command = noun.command(of.usage).description(of.does);
  for (const [flag, does] of Object.entries(of.required ?? {})) command.requiredOption(flag, does);
  for (const [flag, does] of Object.entries(of.options ?? {})) command.option(flag, does);
  for (const [flag, does] of Object.entries(of.flags ?? {})) command.option(flag, does);
  command.action(async () => {
    const options = command.optsWithGlobals<Options & { json?: boolean }>();
    const value = await world.withMerchant((merchant) =>
      of.act(merchant.admin("cli"), command.args, options, merchant),
    );
    world.out(options.json ? `${JSON.stringify(value, null, 2)}\n` : of.text(value, options));
  });
}

const PLACE = /^(\d{1,15})\.(\w{1,64})$/;

/** How much of a list is shown; what --before takes stands below a page that is not the last. */
export const PAGE_OPTIONS = {
  "--limit <n>": `how many (${LIST_ROWS} as a rule)`,
  "--before <place>": "the rows behind that place, as the page before names it",
};

export function pageOf({ limit, before }: Options): ListPage {
  const [, at, id] = PLACE.exec(before ?? "") ?? [];
  if (before !== undefined && id === undefined) {
    throw new MerchantError("VALIDATION_FAILED", "--before takes what stands below a page.");
  }
  return {
    ...(limit !== undefined && { limit: whole(limit, "--limit") }),
    ...(id !== undefined && { before: { at: Number(at), id } }),
  };
}

/** The command that goes on behind a full page. */
export function olderLine<R extends { id: string }>(
  rows: readonly R[],
  { limit }: Options,
  at: (row: R) => string,
): string {
  const last = rows.at(-1);
  if (!last || rows.length < Number(limit ?? LIST_ROWS)) return "";
  return `Older: --before ${Date.parse(at(last))}.${last.id}\n`;
}

export function whole(text: string, what: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new MerchantError(
    "VALIDATION_FAILED",
    `${what} must be a whole number from 0, not "${text}".`,
  );
}
