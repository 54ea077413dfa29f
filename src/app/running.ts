/** What answers at an address. */
interface Answering {
  /** It serves the pages beside MCP on stdio, until its client ends. */
  endsWithClient: boolean;
}

/** The service of this installation, and no other, where it answers at an address now. */
export async function answersAt(
  baseUrl: string,
  installationId: string,
): Promise<Answering | null> {
  try {
    const answer = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(2000) });
    const health = (await answer.json()) as Record<string, unknown>;
    const ours = health.service === "coffee-merchant" && health.installation === installationId;
    return ours ? { endsWithClient: health.ends_with_client === true } : null;
  } catch {
    return null;
  }
}
