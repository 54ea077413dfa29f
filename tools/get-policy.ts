import { z } from "zod";
import { PolicyAnswer } from "../src/domain/shared/policy-answer.ts";
import { publicRead } from "../src/operations/operation.ts";

export const getPolicy = publicRead({
  name: "get_policy",
  title: "Read policy and offers",
  description:
    "Shipping, delivery, courtesies with their codes, gift notes, cancellation, payment, limits, contact.",
  tag: "Information",
  http: { method: "GET", path: "/v1/policy", status: 200 },
  limits: ["catalog"],
  input: z.strictObject({}),
  output: PolicyAnswer,
  run: (_call, { information }) => information.policy(),
});
