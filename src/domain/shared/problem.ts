/** One thing wrong with a request. `pointer` is a JSON Pointer into the input, wherever it was sent. */
export interface Problem {
  pointer: string;
  /** Over HTTP: the parameter of the path or query that it was sent in, and not in the body. */
  parameter?: string;
  code: string;
  /** What is expected, and what to do. */
  detail: string;
  /** What came, in a few characters. */
  received?: string;
  /** The field that an unknown one was meant to be, as a pointer; otherwise the nearest right value. */
  did_you_mean?: string;
}
