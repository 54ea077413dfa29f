import { hash } from "node:crypto";

/** SHA-256 as hex: how secrets, requests and terms are kept and compared. */
export const sha256 = (text: string): string => hash("sha256", text, "hex");
