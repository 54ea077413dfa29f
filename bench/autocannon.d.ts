declare module "autocannon" {
  interface Options {
    url: string;
    method: string;
    headers: Record<string, string>;
    body?: string;
    connections: number;
    duration?: number;
    /** Ends after so many requests instead. */
    amount?: number;
    /** Puts a fresh id where `[<id>]` stands in headers and body. */
    idReplacement: boolean;
  }
  export interface Result {
    duration: number;
    errors: number;
    timeouts: number;
    non2xx: number;
    "2xx": number;
    latency: { p50: number; p99: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
