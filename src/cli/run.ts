import { Command, CommanderError } from "commander";
import { MerchantError, type Problem } from "../core/errors.ts";
import { addCommand, type CliEnvironment } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { line } from "./text.ts";

/**
 * The merchant's command line (contract §15, §16): `npm run merchant -- <noun> <verb> …`. Prints tables, or
 * one JSON value with --json. Refusals go to stderr. Returns the exit code.
 */
export async function runCli(argv: readonly string[], world: CliEnvironment): Promise<number> {
  const json = argv.includes("--json");
  try {
    await program(world, json).parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (json) world.err(`${JSON.stringify(usageProblem(error))}\n`);
      return 1;
    }
    world.err(json ? `${JSON.stringify(problemOf(error))}\n` : refusal(error));
    return 1;
  }
}

const examples = (command: string): string => `
Examples:
  ${command} orders list
  ${command} orders roast ord_…
  ${command} shipments ship shp_… --carrier USPS --number 9400… --url https://…
  ${command} stock set ethiopia-guji 120
  ${command} cancellations decline cr_… --reason "Already in the roaster."
  ${command} orders list --json

Works on the database, with the service's settings (DATABASE_URL, PAYMENT_PROVIDER and its keys …),
whether the service runs or not. A running service sends letters and waiting refunds.
Printed links lead to BASE_URL, or to the address of the last start.`;

/** Settings come first, because commander's subcommands copy them when they are made. */
function program(world: CliEnvironment, json: boolean): Command {
  const root = new Command(world.command)
    .description("Manage the shop: orders, shipments, stock, refunds.")
    .option("--json", "one JSON value on stdout instead of a table")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.out(text),
      // With --json the problem is printed as JSON instead.
      writeErr: (text) => json || world.err(text),
    })
    .showHelpAfterError("(--help tells more)")
    .addHelpText("after", examples(world.command));
  for (const [noun, commands] of Map.groupBy(Object.entries(COMMANDS), nounOf)) {
    if (noun === "") {
      for (const [usage, row] of commands) addCommand(root, usage.split(" "), row, world);
      continue;
    }
    const parent = root.command(noun);
    for (const [usage, row] of commands) addCommand(parent, usage.split(" ").slice(1), row, world);
    const names = parent.commands.map((command) => command.name());
    parent.summary(names.length > 1 ? names.join(", ") : parent.commands[0]!.description());
  }
  return root;
}

/** Empty for a command of one word, such as `backup <file>`. */
const nounOf = ([usage]: [usage: string, unknown]): string => /^(\w+) \w/.exec(usage)?.[1] ?? "";

const usageProblem = (error: CommanderError) => ({
  code: "USAGE",
  title: "Not a command",
  detail:
    error.code === "commander.help"
      ? "Name a command; --help lists them."
      : error.message.replace(/^error: /, ""),
});

function problemOf(error: unknown) {
  if (!(error instanceof MerchantError)) {
    return { code: "FAILED", title: "Failed", detail: message(error) };
  }
  const { code, status, problems: errors, retryable } = error;
  return { code, status, detail: message(error), retryable, errors };
}

function refusal(error: unknown): string {
  if (!(error instanceof MerchantError)) return `${message(error)}\n`;
  const { code, problems, moreProblems } = error;
  const [first = message(error), ...others] = problems.map(placed);
  const more = moreProblems > 0 ? [`and ${moreProblems} more`] : [];
  const lines =
    others.length === 0 ? [`${code}: ${first}`] : [`${code}:`, first, ...others, ...more];
  return `${lines.map(line).join("\n  - ")}\n`;
}

/** Names the field: "At most 100 characters" could be the city or the name. */
const placed = ({ pointer, detail }: Problem): string => {
  const field = pointer.split("/").at(-1);
  return field ? `${field}: ${detail}` : detail;
};

/** The user owns the machine, so internal errors are shown. */
function message(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
