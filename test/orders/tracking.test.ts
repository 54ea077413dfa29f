import { expect, test } from "vitest";
import { carrierOf, TypedTracking, trackingPage } from "../../src/orders/tracking.ts";

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

test.each([
  ["1z 999 aa1 01 2345 6784", "UPS"],
  ["9400 1000 0000 0000 0000 00", "USPS"],
  ["420787019400100000000000000000", "USPS"],
  ["449044304137821", "FedEx"],
  ["1234567890", "DHL"],
  ["by hand", null],
  ["9400", null],
])("the carrier of %s is %s", (number, carrier) => {
  expect(carrierOf(number)).toBe(carrier);
});

test.each([
  "1Z999AA10123456784 1Z999AA10123456785",
  "1Z999AA101234567841Z999AA10123456785",
  "9400100000000000000000 9400100000000000000001 9400100000000000000002",
  "449044304137 449044304138",
])("%s is refused as more than one number", (number) => {
  expect(TypedTracking.safeParse({ number }).error?.issues[0]?.message).toMatch(/more than one/);
});
