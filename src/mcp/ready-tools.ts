import type { ToolLists } from "./schemas.ts";

/**
 * The tools of the shipped contents, as the build has made them (src/build/main.ts): schemas take
 * longer to convert than a stdio client waits for anything else of ours. From the sources there are none,
 * and each start makes its own.
 */
export const READY_TOOLS: ToolLists | undefined = undefined;
