type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** Fields that Stripe's types require and that are always null here, by their names. */
export const nulls = <S extends string>(...names: S[]): Record<Words<S>, null> =>
  Object.fromEntries(
    names.flatMap((line) => line.split(" ")).map((name) => [name, null]),
  ) as Record<Words<S>, null>;
