import addressparser from 'nodemailer/lib/addressparser';
import { z } from 'zod';

/** The mail server of SMTP_URL. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `first`: TLS from the first byte. `required`: STARTTLS, or nothing is sent. `none`: never. */
  readonly tls: 'first' | 'required' | 'none';
  readonly login: { readonly user: string; readonly pass: string } | null;
}

/** The sender of all e-mails. */
export interface MailSender {
  /** Empty where there is none. */
  readonly name: string;
  readonly address: string;
}

const SUBMISSION_PORT = 587;
const TLS_PORT = 465;
const LIKE = 'must look like smtp://user:password@host:587 or smtps://user:password@host:465';

/** An address of e-mail with ASCII characters only, at most 254. */
export const mailAddress = z.email('must be an e-mail address like anna@example.com').max(254);

/** @throws Error with the end of a sentence about the fault */
function readSmtpUrl(text: string): SmtpServer {
  if (!URL.canParse(text)) throw new Error(LIKE);
  const url = new URL(text);
  const { protocol, hostname, username, password, pathname, searchParams } = url;
  if ((protocol !== 'smtp:' && protocol !== 'smtps:') || hostname === '' || !/^\/?$/.test(pathname))
    throw new Error(LIKE);
  const unknown = [...searchParams.keys()].find((name) => name !== 'tls');
  if (unknown !== undefined) throw new Error(`has the unknown part ?${unknown}; there is only ?tls=none`);
  const tls = searchParams.get('tls') ?? 'required';
  if (tls !== 'required' && tls !== 'none') throw new Error('has ?tls= that is neither required nor none');
  const isTlsFirst = protocol === 'smtps:';
  if (isTlsFirst && tls === 'none') throw new Error('begins with smtps: and says ?tls=none: use smtp:');
  if ((username === '') !== (password === ''))
    throw new Error('has a user or a password: give both or neither');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTlsFirst ? TLS_PORT : SUBMISSION_PORT) : Number(url.port),
    tls: isTlsFirst ? 'first' : tls,
    login:
      username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  };
}

/** `SMTP_URL`: where e-mails are handed over. */
export const smtpUrl = z.string().transform((text, context) => {
  try {
    return readSmtpUrl(text);
  } catch (error) {
    const message =
      error instanceof URIError ? 'has a % that must be written as %25' : (error as Error).message;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

/** `MAIL_FROM`: `Video analytics <video@example.com>` or only the address. */
export const mailSender = z.string().transform((text, context): MailSender => {
  const [only, ...others] = addressparser(text);
  const address = mailAddress.safeParse(only?.address).data;
  if (only && address !== undefined && others.length === 0 && !/\p{Cc}/u.test(text))
    return { name: only.name, address };
  context.addIssue({
    code: 'custom',
    message: 'must be one address like video@example.com or Video analytics <video@example.com>',
  });
  return z.NEVER;
});
