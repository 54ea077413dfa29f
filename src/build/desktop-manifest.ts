import type { Contents } from "../app/registry.ts";

export interface Package {
  name: string;
  version: string;
  description: string;
  license: string;
}

/** What Claude Desktop is told of the bundle (MCPB manifest 0.3), made from the operations. */
export const desktopManifest = (about: Package, { operations }: Contents) => ({
  manifest_version: "0.3",
  ...about,
  display_name: "Coffee merchant",
  author: { name: "The coffee merchant's maintainers" },
  server: {
    type: "node",
    entry_point: "dist/coffee-merchant.js",
    mcp_config: {
      command: "node",
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Claude Desktop puts these in.
      args: ["${__dirname}/dist/coffee-merchant.js", "stdio"],
      env: { PORT: "${user_config.port}", MERCHANT_API_KEY: "${user_config.api_key}" },
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: Claude Desktop puts these in.
    },
  },
  tools: operations.map(({ name, description }) => ({
    name,
    description: description.split("\n")[0],
  })),
  tools_generated: false,
  compatibility: {
    platforms: ["darwin", "win32", "linux"],
    runtimes: { node: ">=22.18" },
  },
  user_config: {
    port: {
      type: "number",
      title: "Port",
      description: "Where the pages are that you review and pay on: http://127.0.0.1:<port>",
      default: 3917,
      min: 1024,
      max: 65_535,
      required: false,
    },
    api_key: {
      type: "string",
      title: "API key",
      description: "A key of this shop. Empty: the agent registers itself.",
      sensitive: true,
      default: "",
      required: false,
    },
  },
});
