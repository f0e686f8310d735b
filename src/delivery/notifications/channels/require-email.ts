import { ApiError } from '../../../http/errors.ts';
import type { Context } from '../../../platform/context.ts';

/** @throws ApiError EMAIL_NOT_CONFIGURED */
export function requireEmail({ config }: Pick<Context, 'config'>): void {
  if (config.smtpUrl) return;
  throw new ApiError(
    'EMAIL_NOT_CONFIGURED',
    'This service sends no e-mails: the operator must set SMTP_URL and MAIL_FROM',
  );
}
