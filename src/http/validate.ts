import type { z } from 'zod';
import { ApiError, ERRORS, type ErrorCode } from './errors.ts';

/**
 * Parses a part of a request.
 * @throws ApiError VALIDATION_ERROR with one detail per fault, or the code that a custom issue names in
 *   `params.code`
 */
export function validate<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const details = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const first = details[0]!;
  throw new ApiError(
    codeOf(result.error.issues),
    first.path === '' ? first.message : `${first.path}: ${first.message}`,
    details,
  );
}

function codeOf(issues: readonly z.core.$ZodIssue[]): ErrorCode {
  // A shape that is wrong anywhere is said first: a special code is for a well-formed request only.
  const codes = issues.map((issue) => (issue.code === 'custom' ? issue.params?.code : undefined));
  const special = codes.every((code) => code !== undefined) ? codes[0] : undefined;
  return typeof special === 'string' && Object.hasOwn(ERRORS, special)
    ? (special as ErrorCode)
    : 'VALIDATION_ERROR';
}
