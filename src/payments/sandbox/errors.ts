/** A refusal in Stripe's own words and shape. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string | undefined;
  readonly param: string | undefined;
  readonly type: string;

  constructor(
    status: number,
    message: string,
    code?: string,
    param?: string,
    type = status >= 500 ? "api_error" : "invalid_request_error",
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.type = type;
  }

  body(): string {
    const { type, message, code, param } = this;
    return JSON.stringify({ error: { type, message, code, param } });
  }
}

export function missing(what: string, id: string, param: string): ApiError {
  return new ApiError(404, `No such ${what}: '${id}'`, "resource_missing", param);
}
