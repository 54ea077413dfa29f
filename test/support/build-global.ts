import { refresh } from "../../src/build/fresh.mjs";
import { ROOT } from "./command.ts";

/** Processes that tests start run what users run: the build, of the sources as they are. */
export default function setup(): void {
  if (!refresh(ROOT)) throw new Error("What the tests start could not be built.");
}
