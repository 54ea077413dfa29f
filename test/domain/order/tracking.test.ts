import { expect, test } from "vitest";
import { trackingPage } from "../../../src/orders/tracking.ts";

test.each([
  [
    "USPS",
    "9400 1000 0000 0000 0000 00",
    "https://tools.usps.com/go/TrackConfirmAction?tLabels=9400100000000000000000",
  ],
  ["ups ground", "1Z999AA10123456784", "https://www.ups.com/track?tracknum=1Z999AA10123456784"],
  ["FedEx", "449044304137821", "https://www.fedex.com/fedextrack/?trknbr=449044304137821"],
  [
    "DHL Express",
    "1234567890",
    "https://www.dhl.com/us-en/home/tracking.html?tracking-id=1234567890",
  ],
  ["USPS", "9405", null],
  ["UPS", "by hand", null],
  ["Local courier", "1Z999AA10123456784", null],
])("the page of %s for %s", (carrier, number, page) => {
  expect(trackingPage(carrier, number)).toBe(page);
});
