import type { ToolLists } from "./schemas.ts";

/**
 * Tools that the build converts in advance (src/build/main.ts), because a start on stdio would wait for their
 * schemas. Undefined when running from source.
 */
export const READY_TOOLS: ToolLists | undefined = undefined;
