import { InvalidArgumentError } from "commander";

/** A number on the command line. */
export const atLeast = (min: number) => (text: string) => {
  const value = Number(text);
  if (Number.isFinite(value) && value >= min) return value;
  throw new InvalidArgumentError(`A number from ${min}.`);
};
