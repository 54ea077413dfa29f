import {
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type ReadResourceResult,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** A red pixel, and a sound of no length. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const text = (words: string) => ({ type: "text", text: words }) as const;
const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const resource = (uri: string, words = "An embedded resource.") =>
  ({ type: "resource", resource: { uri, mimeType: "text/plain", text: words } }) as const;
const saying = (...content: CallToolResult["content"]): CallToolResult => ({ content });

type Fixture = (
  ctx: ServerContext,
  args: Record<string, unknown>,
) => Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult;

/** The suite's tools that answer in one round: each shows one thing that a server can do. */
export const TOOLS: Record<string, Fixture> = {
  test_simple_text: () => saying(text("This is a simple text response for testing.")),
  test_image_content: () => saying(image),
  test_audio_content: () => saying({ type: "audio", data: WAV, mimeType: "audio/wav" }),
  test_embedded_resource: () => saying(resource("test://embedded-resource")),
  test_multiple_content_types: () =>
    saying(text("Multiple content types test:"), image, resource("test://mixed-content-resource")),
  test_error_handling: () => ({
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  }),
  test_tool_with_logging: async (ctx) => {
    for (const data of ["started", "processing", "completed"]) {
      const params = { level: "info", data: `Tool execution ${data}` };
      await ctx.mcpReq.notify({ method: "notifications/message", params });
    }
    return saying(text("Logged."));
  },
  test_tool_with_progress: async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await ctx.mcpReq.notify({ method: "notifications/progress", params });
    }
    return saying(text(String(progressToken)));
  },
  test_logging_tool: async (ctx) => {
    await ctx.mcpReq.log("info", "Only for those who asked for it.");
    return saying(text("Logged."));
  },
  test_missing_capability: () =>
    inputRequired({
      inputRequests: {
        thought: inputRequired.createMessage({
          messages: [{ role: "user", content: text("Think.") }],
          maxTokens: 10,
        }),
      },
    }),
};

export const RESOURCES: Record<string, ReadResourceResult["contents"][number]> = {
  "test://static-text": {
    uri: "test://static-text",
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  "test://static-binary": { uri: "test://static-binary", mimeType: "image/png", blob: PNG },
  "test://watched-resource": {
    uri: "test://watched-resource",
    mimeType: "text/plain",
    text: "Watched resource content",
  },
};

export const TEMPLATE = "test://template/{id}/data";

export function readTemplate(uri: string): ReadResourceResult["contents"][number] | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: "application/json", text: JSON.stringify(data) };
}

type Message = GetPromptResult["messages"][number];
const user = (content: Message["content"]): Message => ({ role: "user", content });

export const PROMPTS: Record<
  string,
  { names: string[]; write: (args: Record<string, string>) => Message[] }
> = {
  test_simple_prompt: {
    names: [],
    write: () => [user(text("This is a simple prompt for testing."))],
  },
  test_prompt_with_arguments: {
    names: ["arg1", "arg2"],
    write: ({ arg1, arg2 }) => [
      user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
    ],
  },
  test_prompt_with_embedded_resource: {
    names: ["resourceUri"],
    write: ({ resourceUri = "" }) => [
      user(resource(resourceUri)),
      user(text("Please process the embedded resource above.")),
    ],
  },
  test_prompt_with_image: {
    names: [],
    write: () => [user(image), user(text("Please analyze the image above."))],
  },
};
