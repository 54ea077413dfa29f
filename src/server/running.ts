/** Whether the service of this installation, and no other, answers at an address now. */
export async function answersAt(baseUrl: string, installationId: string): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(2000) });
    const health = (await answer.json()) as Record<string, unknown>;
    return health.service === "coffee-merchant" && health.installation === installationId;
  } catch {
    return false;
  }
}
