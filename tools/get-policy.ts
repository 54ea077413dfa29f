import { z } from "zod";
import { PolicyAnswer } from "../src/domain/shared/policy-answer.ts";
import { publicRead } from "../src/operations/operation.ts";

export const getPolicy = publicRead({
  name: "get_policy",
  title: "Read policy and offers",
  description:
    "What applies to every order: shipping and when it is free, delivery time, the courtesies that run with " +
    "their codes, gift notes, cancellation and refunds, whether money moves here, and how to reach the shop.",
  tag: "Information",
  http: { method: "GET", path: "/v1/policy", status: 200 },
  limits: ["catalog"],
  input: z.strictObject({}),
  output: PolicyAnswer,
  errors: [],
  run: (_call, { information }) => information.policy(),
});
