/** The picture of a bean: a bag with its label. */
import { expect, test } from "vitest";
import { bagPicture } from "../../src/web/bag.ts";
import { CATALOG, STOCKED } from "../support/catalog.ts";

test.each([
  ["Kenya Nyeri", ["Nyeri"]],
  ["Kenya Mt Elgon", ["Mt Elgon"]],
  ["Yirgacheffe", ["Yirgacheffe"]],
  ["Kenya Kirinyaga Peaberry", ["Kirinyaga", "Peaberry"]],
  ["Kenya Kirinyaga Peaberry Lot 7", ["Kirinyaga", "Peaberry Lot 7"]],
])("the label of %s is on %j", (name_to_use_with_humans, lines) => {
  const { facts, ...bean } = CATALOG.find(STOCKED)!;
  const picture = bagPicture({
    ...bean,
    name_to_use_with_humans,
    facts: { ...facts, process: "" },
  });
  const texts = picture.matchAll(/<text x="120" y="[\d.]+">([^<]+)/g);
  expect([...texts].map(([, line]) => line)).toEqual(lines);
});
