import { Command, InvalidArgumentError } from "commander";

/** A number on the command line. */
export const atLeast = (min: number) => (text: string) => {
  const value = Number(text);
  if (Number.isFinite(value) && value >= min) return value;
  throw new InvalidArgumentError(`A number from ${min}.`);
};

/** How long and how often each subject is measured, and by how many at once. */
export interface Plan {
  seconds: number;
  rounds: number;
  connections: number;
}

/** The command line of what is measured in rounds, with its defaults. */
export const planned = (name: string, does: string, { seconds, rounds, connections }: Plan) =>
  new Command(name)
    .description(does)
    .option("--seconds <n>", "load on each in one round", atLeast(1), seconds)
    .option("--rounds <n>", "how often each is measured", atLeast(1), rounds)
    .option("--connections <n>", "requests in flight", atLeast(1), connections);
