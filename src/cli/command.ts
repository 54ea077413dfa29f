import type { Command } from "commander";
import type { Merchant } from "../merchant/merchant.ts";

export type Seller = ReturnType<Merchant["seller"]>;

/** What the command line needs of the world; tests hand in their own. */
export interface World {
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
  act(seller: Seller, words: string[], options: Options, merchant: Merchant): Promise<T>;
  text(value: T): string;
}

export type Options = Record<string, string | undefined>;

/** One verb under a noun: run over the shop, shown as a table or, with --json, as one JSON value. */
export function verb<T>(noun: Command, world: World, of: Verb<T>): void {
  const command = noun.command(of.usage).description(of.does);
  for (const [flag, does] of Object.entries(of.required ?? {})) command.requiredOption(flag, does);
  for (const [flag, does] of Object.entries(of.options ?? {})) command.option(flag, does);
  for (const [flag, does] of Object.entries(of.flags ?? {})) command.option(flag, does);
  command.action(async () => {
    const options = command.optsWithGlobals<Options & { json?: boolean }>();
    const value = await world.withMerchant((merchant) =>
      of.act(merchant.seller("cli"), command.args, options, merchant),
    );
    world.out(options.json ? `${JSON.stringify(value, null, 2)}\n` : of.text(value));
  });
}
