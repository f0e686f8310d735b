import { ApiFailure, NetworkFailure } from '../api/client.ts';
import { bytes } from '../kit/numbers.ts';
import type { Texts } from '../text/en/all.ts';

type Words = Pick<Texts['recordings'], 'refusals' | 'storedBytes' | 'uploadLost'>;

/** Why an upload failed, for a person; undefined where its error says nothing special about uploads. */
export function failureText(
  error: unknown,
  { refusals, storedBytes, uploadLost }: Words,
  locale: string,
): string | undefined {
  if (error instanceof NetworkFailure) return uploadLost;
  const [detail] = error instanceof ApiFailure ? error.details : [];
  if (detail?.reason === 'stored_bytes')
    return storedBytes(bytes(detail.used ?? null, locale), bytes(detail.limit ?? null, locale));
  return refusals[detail?.reason as keyof typeof refusals];
}
