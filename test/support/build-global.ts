import { refresh } from "../../src/build/fresh.mjs";
import { ROOT } from "./command.ts";

/** Builds the sources, because tests start the same command that users start. */
export default function setup(): void {
  if (!refresh(ROOT)) throw new Error("The build failed. Run npm run build and fix its errors.");
}
