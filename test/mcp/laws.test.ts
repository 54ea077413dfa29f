import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { resources } from "../../resources/index.ts";
import { cardsOf } from "../../src/api/resource.ts";
import { toolSizes } from "../../src/docs/generated-files.ts";
import { INSTRUCTIONS } from "../../src/mcp/contents.ts";
import { toolsOf } from "../../src/mcp/schemas.ts";
import { operations } from "../../tools/index.ts";

const bare = toolsOf(operations, false, cardsOf(resources));
const keyed = toolsOf(operations, true, cardsOf(resources));

describe.each(operations.map((op, i) => [op.name, op, keyed[i]!] as const))(
  "tool %s",
  (_, op, tool) => {
    test("has a short verb_noun name, a title and a description of whole sentences", () => {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(tool.name.length).toBeLessThanOrEqual(32);
      expect(tool.title).toBeTruthy();
      expect(tool.description).toMatch(/^[A-Z].+\.$/s);
      expect(tool.description!.length).toBeLessThanOrEqual(600);
    });

    test("declares all four annotations truthfully", () => {
      expect(tool.annotations).toEqual({
        // A question may earn a finder key.
        readOnlyHint:
          op.effect === "read" && !["ask", "build_quick_checkout_link"].includes(op.name),
        destructiveHint: expect.any(Boolean),
        // Without a key every call makes a page of its own.
        idempotentHint: op.name !== "build_quick_checkout_link",
        openWorldHint: expect.any(Boolean),
      });
      if (op.effect === "read") expect(tool.annotations!.destructiveHint).toBe(false);
    });

    test("refuses unknown arguments, and allows new fields in responses", () => {
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: "object" });
      for (const object of objectsIn(tool.outputSchema)) {
        expect(object.additionalProperties).not.toBe(false);
      }
    });

    test("has schemas that any client can read", () => {
      const ajv = new Ajv({ strict: false });
      expect(() => ajv.compile(tool.inputSchema as object)).not.toThrow();
      expect(() => ajv.compile(tool.outputSchema as object)).not.toThrow();
      const text = JSON.stringify([tool.inputSchema, tool.outputSchema]);
      for (const word of ["$ref", "$defs", "$schema", "x-mcp-header", 'anyOf":[]']) {
        expect(text).not.toContain(word);
      }
    });

    test("requires an idempotency_key only for writes", () => {
      const { properties = {}, required = [] } = tool.inputSchema;
      expect("idempotency_key" in properties).toBe(op.effect === "write");
      expect(required.includes("idempotency_key")).toBe(op.effect === "write");
    });
  },
);

test("secrets are optional arguments, and api_key is listed only without a connection key", () => {
  for (const { inputSchema } of keyed) {
    expect(inputSchema.required ?? []).not.toContain("api_key");
    expect(inputSchema.required ?? []).not.toContain("finder_key");
  }
  for (const { inputSchema } of bare) expect(inputSchema.properties).not.toHaveProperty("api_key");
  const shown = keyed.filter((tool) => tool.inputSchema.properties?.api_key);
  const needing = operations.filter((op) => op.access !== "public");
  expect(shown.map((tool) => tool.name)).toEqual(needing.map((op) => op.name));
});

test("finder_key is an argument only of tools that can involve the locked bean", () => {
  const shown = bare.filter((tool) => tool.inputSchema.properties?.finder_key);
  expect(shown.map((tool) => tool.name)).toEqual(["request_quote", "create_checkout"]);
});

test("names are unique, and the instructions name only existing tools", () => {
  const names = new Set(operations.map((op) => op.name));
  expect(names.size).toBe(operations.length);
  for (const [word] of INSTRUCTIONS.matchAll(
    /\b(?:get|list|request|create|register|join|leave|send)_\w+/g,
  )) {
    expect(names).toContain(word);
  }
  expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThanOrEqual(1024);
});

test("tools/list takes at most 20,000 bytes", () => {
  expect(toolSizes(operations, resources).list).toBeLessThanOrEqual(20_000);
});

test("a named shape shows its fields once in tools/list, then only its title", () => {
  const titled = keyed.filter(({ outputSchema }) => outputSchema?.title);
  const shown = titled.filter(({ outputSchema }) => outputSchema?.properties);
  const titles = shown.map(({ outputSchema }) => outputSchema?.title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toEqual(expect.arrayContaining(["Quote", "Order", "WaitlistEntry"]));
  for (const { outputSchema } of titled) expect(titles).toContain(outputSchema?.title);
});

/** Every object schema within a schema. */
function objectsIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return (schema as { type?: unknown }).type === "object"
    ? [schema as Record<string, unknown>, ...inner]
    : inner;
}
