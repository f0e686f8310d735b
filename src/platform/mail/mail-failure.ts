import type { SmtpServer } from './smtp-url.ts';

/** Why a mail was not handed over, in one sentence for people. It holds no password and no address of the server. */
export class MailFailure extends Error {
  /** What the server answered, like 550; null when it did not answer. */
  readonly responseCode: number | null;
  /** Another attempt would fail too: the server refuses this recipient or this mail. */
  readonly isFinal: boolean;
  /** The server may have taken the mail although it did not say so. */
  readonly mayHaveArrived: boolean;

  constructor(
    message: string,
    { responseCode = null, isFinal = false, mayHaveArrived = false }: Partial<FailureFacts> = {},
  ) {
    super(message);
    this.name = 'MailFailure';
    this.responseCode = responseCode;
    this.isFinal = isFinal;
    this.mayHaveArrived = mayHaveArrived;
  }
}

interface FailureFacts {
  readonly responseCode: number | null;
  readonly isFinal: boolean;
  readonly mayHaveArrived: boolean;
}

/** An error of nodemailer. */
export interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly originalCode?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
}

/** The server's own words are cut after so many characters. */
const MOST_WORDS = 300;

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The mail server refuses the connection.',
  EHOSTUNREACH: 'The mail server cannot be reached.',
  ENETUNREACH: 'The mail server cannot be reached.',
  EDNS: 'The name of the mail server is not known.',
  ETIMEDOUT: 'The mail server does not answer in time.',
  EAUTH: 'The mail server refuses our login: please tell the operator.',
  ENOAUTH: 'The mail server refuses our login: please tell the operator.',
  EPROTOCOL: 'The mail server answers in a way that we do not know.',
};

/** @param wasSent the whole mail had been handed to the connection */
export function failureOf(error: SmtpError, { tls }: SmtpServer, wasSent: boolean): MailFailure {
  const { code = '', originalCode = '', responseCode = null } = error;
  if (responseCode !== null && (code === 'EENVELOPE' || code === 'EMESSAGE')) {
    const words = (error.response ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, MOST_WORDS);
    return new MailFailure(`The mail server refuses the mail: ${words}`, {
      responseCode,
      isFinal: responseCode >= 500,
    });
  }
  const mayHaveArrived = wasSent && responseCode === null;
  const facts = { responseCode, mayHaveArrived };
  const isCertificate = [code, originalCode].some((one) => /CERT|SIGNATURE|ISSUER|ALTNAME/.test(one));
  if (isCertificate) return new MailFailure('The certificate of the mail server is not trusted.', facts);
  if (code === 'ETLS' && tls !== 'none')
    return new MailFailure('The mail server offers no TLS: please tell the operator.', facts);
  const known = SENTENCES[originalCode] ?? SENTENCES[code];
  if (known && !mayHaveArrived) return new MailFailure(known, facts);
  return new MailFailure(
    mayHaveArrived
      ? 'The mail server broke the connection off before it confirmed the mail.'
      : 'The mail server broke the connection off.',
    facts,
  );
}
