import type { z } from 'zod';
import { type Explained, explain, explained, sentence } from '../../platform/explain/explain.ts';
import { ApiError, ERRORS, type ErrorCode } from '../errors.ts';

/**
 * Parses a part of a request.
 * @param sent what the caller wrote, for the explanation; by default `input`
 * @param found faults that were found before the schema check; they come first
 * @throws ApiError VALIDATION_ERROR with one detail per fault, or the code that a custom issue names in
 *   `params.code`
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { found = [], sent = input }: { found?: readonly Explained[]; sent?: unknown } = {},
): z.output<Schema> {
  const result = schema.safeParse(input, explained());
  if (result.success && found.length === 0) return result.data;
  const issues = result.error?.issues ?? [];
  const faults = explain(issues, { input: sent, found });
  const code = found.length > 0 ? 'VALIDATION_ERROR' : codeOf(issues);
  throw new ApiError(code, sentence(faults, 'The body'), faults);
}

function codeOf(issues: readonly z.core.$ZodIssue[]): ErrorCode {
  // A special code is used only if the request is otherwise well-formed.
  const codes = issues.map((issue) => (issue.code === 'custom' ? issue.params?.code : undefined));
  const special = codes.every((code) => code !== undefined) ? codes[0] : undefined;
  return typeof special === 'string' && Object.hasOwn(ERRORS, special)
    ? (special as ErrorCode)
    : 'VALIDATION_ERROR';
}
