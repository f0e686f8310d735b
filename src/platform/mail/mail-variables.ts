import { z } from 'zod';
import { mailSender, smtpUrl } from './smtp-url.ts';

/** The environment variables of e-mail. */
export const MAIL_VARIABLES = {
  SMTP_URL: smtpUrl
    .optional()
    .describe(
      'mail server for e-mails: smtp://user:password@host:587 (STARTTLS is required) or smtps://user:password@host:465; `?tls=none` behind smtp: sends without TLS; without SMTP_URL there are no e-mails',
    ),
  SMTP_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'PEM file with certificates that are trusted of the mail server, in addition to the public ones',
    ),
  MAIL_FROM: mailSender
    .optional()
    .describe('sender of e-mails, like `Video analytics <video@example.com>`; required with SMTP_URL'),
};
