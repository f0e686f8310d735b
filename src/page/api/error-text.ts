import { textNow } from '../text/text.ts';
import { ApiFailure, NetworkFailure } from './client.ts';

/** What went wrong, for a person: translated by the reason or the code, else as the API says it. */
export function errorText(error: unknown): string {
  const texts = textNow('errors');
  const textOf = (name: string | undefined) => texts[name as keyof typeof texts];
  if (error instanceof ApiFailure)
    return textOf(error.details[0]?.reason) ?? textOf(error.code) ?? error.message;
  if (error instanceof NetworkFailure) return texts.NETWORK ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

/** What is wrong with one field of a form, by `details[].path` of the error; undefined if nothing is. */
export const fieldError = (error: unknown, path: string): string | undefined =>
  error instanceof ApiFailure ? error.details.find((detail) => detail.path === path)?.message : undefined;
