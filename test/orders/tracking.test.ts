import { expect, test } from "vitest";
import { carrierOf, doubtAbout, TypedTracking, trackingPage } from "../../src/orders/tracking.ts";

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
  "9400100000000000000006 9400100000000000000013 9400100000000000000020",
  "449044304137 449044304138",
])("%s is refused as more than one number", (number) => {
  expect(TypedTracking.safeParse({ number }).error?.issues[0]?.message).toMatch(/more than one/);
});

test.each([
  ["9405 8036 9930 0124 2878 99", undefined],
  ["9405803699300124287898", "MISTYPED"],
  ["9261290113185417468510", undefined],
  ["9261290113185417468511", "MISTYPED"],
  ["420 22153 9101026837331000039521", undefined],
  ["420 22153 9101026837331000039512", "MISTYPED"],
  ["4201002334249200190132607600833457", undefined],
  ["92748931507708513018050063", undefined],
  ["1Z999AA10123456785", undefined],
  ["by hand", undefined],
])("the check digit of %s: %s", (number, code) => {
  expect(doubtAbout(number, [])?.code).toBe(code);
});

test.each<[object, string[] | undefined]>([
  [{ carrier: " ", url: "http://x.example" }, ["carrier", "url"]],
  [{ url: "javascript:alert(1)" }, ["url"]],
  [{ url: "https://me:secret@post.example/1" }, ["url"]],
  [{ url: "https://post.example/\u001b[31m" }, ["url"]],
  [{ url: "https://post.example/\u0000" }, ["url"]],
  [{ url: "//post.example/1" }, ["url"]],
  [{ url: "https://post.example/1" }, undefined],
])("the label %j is wrong in %j", (typed, wrong) => {
  const { error } = TypedTracking.safeParse({ carrier: "USPS", number: "1", ...typed });
  expect(error?.issues.map(({ path }) => path.join("/"))).toEqual(wrong);
});
