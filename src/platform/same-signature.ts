import { timingSafeEqual } from 'node:crypto';

/**
 * Whether a text is this signature as we write it, compared in constant time. Node decodes many texts to the same bytes (with
 * padding, blanks, or other last bits), so that one signed address would have thousands of spellings.
 */
export function isSameSignature(given: string, signature: Buffer): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(signature.toString('base64url'))];
  return left.length === right.length && timingSafeEqual(left, right);
}
