import type { Resource } from '../../../../client/client.ts';

type ErrorCode = Resource<'Error'>['error']['code'];
/** The API says more precisely which field, limit or reason is meant. */
type SaidByApi =
  | 'VALIDATION_ERROR'
  | 'INVALID_JSON'
  | 'INVALID_METRIC_PATH'
  | 'IMMUTABLE_FIELD'
  | 'LIMIT_REACHED'
  | 'METHOD_NOT_ALLOWED';

/** NETWORK where the API does not answer; `code_sessions` is a reason, which says more than its code. */
type Other = 'NETWORK' | 'code_sessions';
/** Errors of the API by their code. The message of the API is shown where there is no text. */
export type ErrorTexts = Readonly<Partial<Record<ErrorCode | Other, string>>>;
/** What other languages need, because the API speaks English. */
export type TranslatedErrors = Readonly<Record<Exclude<ErrorCode, SaidByApi> | Other, string>>;

export const errors: ErrorTexts = {
  NETWORK: 'The service cannot be reached. Check the network and try again.',
  SERVICE_UNAVAILABLE: 'The service is not available at the moment. Try again soon.',
  INTERNAL_ERROR: 'The service made a mistake. Try again; if it happens again, tell the operator.',
  NO_COMPUTE_NODE:
    'Counting cannot start: the computer that counts is not running. Try again in a minute, or tell your operator.',
  code_sessions:
    'Too many people or screens are signed in to this account by codes. Somebody who is signed in can end one under Keys and sessions; then this code works.',
};
