declare module "autocannon" {
  interface Options {
    url: string;
    method: string;
    headers: Record<string, string>;
    body?: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Replaces every `[<id>]` in headers and body with a fresh id. */
    idReplacement: boolean;
  }
  interface Result {
    duration: number;
    errors: number;
    timeouts: number;
    non2xx: number;
    "2xx": number;
    latency: { p99: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
