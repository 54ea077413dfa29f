import { describe, expect, it } from "vitest";
import { createAsk } from "../../src/ask/ask.ts";
import { parseCatalog } from "../../src/domain/catalog/catalog.ts";

/** Another merchant's file: no bean, country or note of ours, two beans from one country. */
function product(id: string, more: Record<string, unknown>, facts: Record<string, unknown>) {
  return {
    product_id: id,
    name: "Lot",
    name_to_use_with_humans: `${String(facts.country)} ${String(facts.region)}`,
    price_minor: 1500,
    roast_level: "Medium",
    summary: "A coffee.",
    choose_if: "You want a nice cup.",
    decaf: false,
    availability: "STOCKED",
    opening_stock: 1,
    ...more,
    facts: {
      process: "Washed",
      varieties: ["SL28"],
      roast: "Medium roast with bright acidity and a full body",
      tasting_notes: ["blackcurrant", "grapefruit"],
      brewing: [{ method: "Chemex", advice: "30 g to 500 g." }],
      ...facts,
    },
  };
}

const ask = createAsk(
  parseCatalog({
    products: [
      product("nyeri", { name: "Nyeri AA" }, { country: "Kenya", region: "Nyeri" }),
      product(
        "kirinyaga",
        { availability: "WAITLIST", roast_level: "Dark" },
        {
          country: "Kenya",
          region: "Kirinyaga",
          process: "Honey",
          tasting_notes: ["smoke", "molasses"],
        },
      ),
      product(
        "mandheling",
        { decaf: true },
        {
          country: "Indonesia",
          region: "Mandheling",
          process: "Wet-hulled",
          roast: "Dark",
          tasting_notes: ["cedar", "tobacco"],
        },
      ),
      product(
        "gesha-village",
        { availability: "EXCLUSIVE" },
        {
          country: "Brazil",
          region: "Cerrado",
          varieties: ["Pacamara"],
          tasting_notes: ["hazelnut"],
        },
      ),
    ],
  }),
);

const ids = (question: string) => [...new Set(ask(question).facts.map((fact) => fact.product_id))];

describe("ask over another catalog", () => {
  it("answers for both beans of a country", () => {
    expect(ids("what do your Kenyan coffees taste like?")).toEqual(["nyeri", "kirinyaga"]);
  });

  it("knows a region by its name and its typo", () => {
    expect(ids("nyeri process")).toEqual(["nyeri"]);
    expect(ids("kirinaga roast")).toEqual(["kirinyaga"]);
    expect(ids("sumatran notes")).not.toContain("nyeri");
  });

  it("says plainly that it has none of what our own file sells", () => {
    expect(ask("do you have Colombian coffee?").answer).toContain("listed as coming from Colombia");
    expect(ask("anything washed with jasmine?").answer).toContain(
      "None of our coffees has jasmine",
    );
  });

  it("recommends by the notes and methods of its file", () => {
    expect(ids("something nutty")).toEqual(["gesha-village"]);
    expect(ids("which is honey processed")).toEqual(["kirinyaga"]);
    expect(ids("smoky coffee")).toEqual(["kirinyaga"]);
    expect(ask("how do I brew the Nyeri in a chemex?").answer).toContain("30 g to 500 g");
    expect(ids("do you have decaf")).toEqual(["mandheling"]);
  });
});
