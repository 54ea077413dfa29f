/** One payment and one charge per session, so their ids need no index of their own. */
export const paymentId = (s: { id: string }): string => s.id.replace("cs_test_", "pi_");
export const chargeId = (s: { id: string }): string => s.id.replace("cs_test_", "ch_");
export const sessionIdOf = (payment: string): string => payment.replace(/^pi_/, "cs_test_");

export const seconds = (ms: number): number => Math.floor(ms / 1000);
