import { z } from "zod";
import { publicRead } from "../src/api/operation.ts";
import { PolicyAnswer } from "../src/core/shop.ts";

export const getPolicy = publicRead({
  name: "get_policy",
  title: "Read policy and offers",
  description:
    "Shipping, delivery, discount codes, gift notes, cancellation, payment, limits, contact.",
  tag: "Information",
  http: { method: "GET", path: "/v1/policy", status: 200 },
  input: z.strictObject({}),
  output: PolicyAnswer,
  run: (_call, { information }) => information.policy(),
});
